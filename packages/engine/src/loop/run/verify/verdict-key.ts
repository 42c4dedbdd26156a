import type { JsonValue } from '@donecheck/core/internal/events'
import type { Verifier, VerifierContext } from '../../../ports/checks.ts'
import { donecheckVersion, sha256 } from '../../../base/index.ts'
import { digestOf } from '../calls/call-records.ts'
import { unreadable, type CheckedTree } from './trees.ts'
import type { LiveRun } from '../session/session.ts'
import type { World } from '../session/world.ts'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'

interface KeyRequest {
  readonly verifier: Verifier
  readonly context: VerifierContext
  readonly tree: CheckedTree
  readonly ignored: string
}

/** Digest of all inputs of a verdict; undefined if any is undeclared or unreadable, and for the baseline. */
export function verdictKey({ verifier, context, tree, ignored }: KeyRequest): string | undefined {
  const { inputs, description } = verifier
  if (inputs === undefined || context.trigger === 'baseline') return undefined
  const readsTree = description.reads === 'workspace'
  const { fingerprint } = context
  if (readsTree && (fingerprint === undefined || fingerprint === unreadable)) return undefined
  return digestOf({
    format: 1,
    scope: context.runId,
    versions: [donecheckVersion, process.version, process.platform, process.arch],
    verifier: description.name,
    definition: inputs.definition,
    environment: inputs.environmentDigest ?? '',
    files: readsTree ? (fingerprint ?? '') : '',
    ignored: readsTree ? ignored : '',
    tree: readsTree ? tree.variant : '',
    answer: readsTree ? '' : sha256(context.finalText),
    task: readsTree ? '' : sha256(context.task),
    baseline: context.baseline === undefined ? '' : digestOf(asJson(context.baseline)),
  })
}

function asJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue
}

const asked = new WeakMap<LiveRun, Map<string, string>>()

/** Whether the verifier and its environment are as in its last run in this process; true if unknown. */
export function hasSameInputs({ description, inputs }: Verifier, session: LiveRun): boolean {
  const known = asked.get(session) ?? new Map<string, string>()
  asked.set(session, known)
  const before = known.get(description.name)
  const now = inputs === undefined ? '' : digestOf([inputs.definition, inputs.environmentDigest ?? null])
  known.set(description.name, now)
  return before === undefined || before === now
}

/** Unreadable memory counts as empty. */
export async function recallVerdict(key: string, { checking }: World): Promise<Verdict | undefined> {
  try {
    return await checking.verdicts?.recall(key)
  } catch {
    return undefined
  }
}

/** What cannot be kept is asked for again. */
export async function rememberVerdict(key: string, verdict: Verdict, { checking }: World): Promise<void> {
  try {
    await checking.verdicts?.remember(key, verdict)
  } catch {
    return
  }
}
