import { basename } from 'node:path'
import { heldOutGap } from '@donecheck/core/policies'
import { UsageError, given, sha256 } from '../../base/index.ts'
import { currentSchemaVersion, type RunEvent } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import type { StopTransition } from '@donecheck/core/transitions'
import { canonicalJson } from '@donecheck/core/base'
import { chainOf } from './chain.ts'
import { authorityIn, checkedVerifier, findingsIn, foldWithVerdicts } from './checked-verifiers.ts'
import {
  isoTime,
  predicateType,
  statementType,
  type Receipt,
  type ReceiptEnd,
  type ReceiptSubject,
} from './receipt.ts'

interface ReceiptSource {
  /** Of one run that has ended, from the first on. */
  readonly events: readonly RunEvent[]
  readonly packageVersion: string
  readonly nodeVersion: string
  /** Object names of the commit and of its tree, hex, where the caller knows that they are what is in the folder. */
  readonly gitCommit?: string
  readonly gitTree?: string
  /** The record was brought from elsewhere. */
  readonly imported?: true
}

/** @throws {UsageError} for a run that has not ended, or that is none */
export function buildReceipt(source: ReceiptSource): Receipt {
  const { events } = source
  const [first] = events
  if (first?.type !== 'run-started')
    throw new UsageError(
      `these ${events.length} events are not those of a run; give all, from run-started on`,
    )
  const { state, verdictEvents } = foldWithVerdicts(events)
  if (state?.phase.kind !== 'stopped')
    throw new UsageError(`run ${first.runId} has not ended; resume it first, then ask for its receipt`)
  const described = state.settings.verifiers
  const checks = described.map((one) => checkedVerifier(one, state, verdictEvents.get(one.name)))
  const verdicts = described.flatMap(({ name }) => verdictEvents.get(name)?.verdict ?? [])
  const { policy, completeWhen } = state.settings
  const statement = {
    _type: statementType,
    subject: subjectsOf(state, source),
    predicateType,
    predicate: {
      runId: state.runId,
      taskDigest: sha256(state.task),
      end: endOf(state.phase.transition),
      ...given({ imported: source.imported }),
      policy: { name: policy, completeWhen },
      checks,
      findings: findingsIn(verdicts),
      authority: authorityIn(verdicts),
      heldOut: heldOutGap(checks),
      times: { startedAt: isoTime(first.timeMs), endedAt: isoTime(state.nowMs) },
      versions: {
        donecheck: first.donecheckVersion,
        receipt: source.packageVersion,
        node: source.nodeVersion,
        eventSchema: currentSchemaVersion,
      },
      chain: chainOf(events),
    },
  } as const
  const { predicate } = statement
  return { ...statement, predicate: { ...predicate, digest: digestOfStatement(statement, predicate) } }
}

/** Over everything but the digest itself, fields that we do not know included. */
export function digestOfStatement(statement: object, predicate: object): string {
  return sha256(canonicalJson({ ...statement, predicate: { ...predicate, digest: undefined } }))
}

function subjectsOf(state: RunState, source: ReceiptSource): readonly ReceiptSubject[] {
  const tree = state.workspace.current
  const answer: ReceiptSubject = {
    name: 'answer',
    digest: { sha256: sha256(state.lastText) },
    annotations: { donecheck: 'answer' },
  }
  if (tree === undefined) return [answer]
  const { gitCommit, gitTree } = source
  const folder: ReceiptSubject = {
    name: basename(state.workFolder ?? '') || 'tree',
    digest: {
      // What in-toto calls sha256 is one; a workspace of the user's own may say anything.
      [/^[0-9a-f]{64}$/.test(tree) ? 'sha256' : 'donecheckFingerprint']: tree,
      ...given({ gitCommit, gitTree }),
    },
    annotations: { donecheck: 'tree' },
  }
  return state.settings.verifiers.some(({ reads }) => reads === 'answer') ? [folder, answer] : [folder]
}

function endOf(transition: StopTransition): ReceiptEnd {
  const { outcome, reason, message, cap, atCap, detector, lastCheck } = transition
  return { outcome, reason, message, ...given({ cap, atCap, detector, lastCheck }) }
}
