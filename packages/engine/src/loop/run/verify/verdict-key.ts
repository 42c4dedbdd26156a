import type { JsonValue } from '@donecheck/core/internal/events'
import type { Verifier, VerifierContext } from '../../../ports/checks.ts'
import { donecheckVersion, sha256 } from '../../../base/index.ts'
import { digestOf } from '../calls/call-records.ts'
import { unreadable, type CheckedTree } from './trees.ts'
import type { Session } from '../session/session.ts'

interface KeyRequest {
  readonly verifier: Verifier
  readonly context: VerifierContext
  readonly tree: CheckedTree
  readonly ignored: string
}

/**
 * The digest of all that a verdict depends on: equal keys, equal verdicts. Undefined where that cannot be told: the verifier
 * declares no inputs, the tree cannot be read, or it is the baseline tree, whose verdicts hold more.
 */
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
