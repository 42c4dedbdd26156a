import type { JsonValue } from '@donecheck/core/events'
import type { Verifier, VerifierContext } from '../../../ports/checks.ts'
import type { Workspace } from '../../../ports/loop.ts'
import { donecheckVersion, sha256 } from '../../../base/index.ts'
import { digestOf } from '../calls/call-records.ts'
import { unreadable, type CheckedTree } from './trees.ts'
import type { Session } from '../session/session.ts'

interface KeyRequest {
  readonly verifier: Verifier
  readonly context: VerifierContext
  readonly tree: CheckedTree
  readonly workspace: Workspace | null
  readonly ignored: string
  readonly signal: AbortSignal
}

/**
 * The digest of all that a verdict depends on: equal keys, equal verdicts. Undefined where that cannot be told: the verifier
 * declares no inputs, the tree cannot be read, or it is the baseline tree, whose verdicts hold more.
 */
export async function verdictKey({
  verifier,
  context,
  tree,
  workspace,
  ignored,
  signal,
}: KeyRequest): Promise<string | undefined> {
  const { inputs, description } = verifier
  if (inputs === undefined || context.trigger === 'baseline') return undefined
  const readsTree = description.reads === 'workspace'
  const files = readsTree ? await readFiles(context, inputs.files, workspace, signal) : ''
  if (files === undefined) return undefined
  return digestOf({
    format: 1,
    scope: context.runId,
    versions: [donecheckVersion, process.version, process.platform, process.arch],
    verifier: description.name,
    definition: inputs.definition,
    environment: inputs.environmentDigest ?? '',
    declared: inputs.files === undefined ? null : [...inputs.files],
    files,
    ignored: readsTree && inputs.files === undefined ? ignored : '',
    tree: readsTree ? tree.variant : '',
    answer: readsTree ? '' : sha256(context.finalText),
    task: readsTree ? '' : sha256(context.task),
    baseline: context.baseline === undefined ? '' : digestOf(asJson(context.baseline)),
  })
}

async function readFiles(
  { fingerprint }: VerifierContext,
  files: readonly string[] | undefined,
  workspace: Workspace | null,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (fingerprint === undefined || fingerprint === unreadable) return undefined
  if (files === undefined) return fingerprint
  try {
    return await workspace?.fingerprint(signal, { files })
  } catch {
    return undefined
  }
}

/** A verdict is made of JSON; the order of its keys says nothing. */
function asJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue
}

const asked = new WeakMap<Session, Map<string, string>>()

/** Whether a verifier is defined, and its environment is, as when it was last asked in this process; true where nobody knows. */
export function hasSameInputs({ description, inputs }: Verifier, session: Session): boolean {
  const known = asked.get(session) ?? new Map<string, string>()
  asked.set(session, known)
  const before = known.get(description.name)
  const now = inputs === undefined ? '' : digestOf([inputs.definition, inputs.environmentDigest ?? null])
  known.set(description.name, now)
  return before === undefined || before === now
}
