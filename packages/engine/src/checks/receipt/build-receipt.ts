import { basename } from 'node:path'
import { heldOutGap } from '@donecheck/core/internal/decide/aggregate'
import { UsageError, given, sha256 } from '../../base/index.ts'
import { currentSchemaVersion, type RunEvent } from '@donecheck/core/internal/events'
import { type RunState, evolve } from '@donecheck/core/internal/state'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import { canonicalJson } from '@donecheck/core/internal/base'
import {
  isoTime,
  predicateType,
  statementType,
  type Receipt,
  type ReceiptEnd,
  type ReceiptSubject,
  type CheckedCommand,
  type CheckedVerdict,
  type CheckedVerifier,
  type ReceiptAuthority,
  type ReceiptFinding,
} from './receipt.ts'
import type { CommandEvidence, Evidence, Verdict } from '@donecheck/core/internal/events/verdicts'
import type { VerifierDescription } from '@donecheck/core/internal/events/settings'

interface ReceiptSource {
  /** All events of one run that has ended. */
  readonly events: readonly RunEvent[]
  readonly packageVersion: string
  readonly nodeVersion: string
  /** Hex ids of the commit and its tree, if the caller knows that the folder contains them. */
  readonly gitCommit?: string
  readonly gitTree?: string
  /** The record was imported. */
  readonly imported?: true
}

/** @throws {UsageError} for an invalid run, or one that has not ended */
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
  const { aggregate: policy, completeWhen } = state.settings
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
      chain: { algorithm: chainAlgorithm, head: headOf(events), length: events.length },
    },
  } as const
  return { ...statement, predicate: { ...statement.predicate, digest: digestOfStatement(statement) } }
}

export function digestOfStatement(statement: { readonly predicate: object }): string {
  return sha256(canonicalJson({ ...statement, predicate: { ...statement.predicate, digest: undefined } }))
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
      // A custom workspace may use another digest than in-toto's sha256.
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

type VerdictEvent = Extract<RunEvent, { type: 'verdict-given' }>

/** Returns the last state and each verifier's last verdict. @throws {TypeError} without `run-started` */
function foldWithVerdicts(events: readonly RunEvent[]) {
  const verdictEvents = new Map<string, VerdictEvent>()
  let state: RunState | undefined
  for (const event of events) {
    state = evolve(state, event)
    // The fold ignores a verdict of a check that was not requested.
    if (event.type === 'verdict-given' && state.checks[event.verdict.verifier]?.latest === event.verdict)
      verdictEvents.set(event.verdict.verifier, event)
  }
  return { state, verdictEvents }
}

function checkedVerifier(
  description: VerifierDescription,
  state: RunState,
  event: VerdictEvent | undefined,
): CheckedVerifier {
  const { name, role, required, weight, deterministic } = description
  const baseline = state.checks[name]?.baseline ?? null
  const verdict = event === undefined ? null : checkedVerdict(event, state.workspace.current)
  return { name, role, required, weight, deterministic, baseline, verdict }
}

function checkedVerdict(
  { verdict, sequence, timeMs }: VerdictEvent,
  tree: string | undefined,
): CheckedVerdict {
  const { status, reason, qualifiers, score, durationMs, fingerprint, tree: kind } = verdict
  return {
    status,
    reason,
    qualifiers,
    ...given({ score }),
    durationMs,
    fingerprint: fingerprint ?? null,
    ...given({ tree: kind }),
    sameTree: fingerprint === tree && kind !== 'independent-tree',
    commands: ofKind(verdict, 'command').map(checkedCommand),
    tests: ofKind(verdict, 'tests').map(({ format, counts }) => ({ format, counts })),
    files: ofKind(verdict, 'file').map(({ path, digest, bytes }) => ({ path, digest, bytes })),
    measures: ofKind(verdict, 'measure').map(({ name, value, bound }) => ({
      name,
      value,
      ...given({ bound }),
    })),
    sequence,
    at: isoTime(timeMs),
    digest: sha256(canonicalJson(verdict)),
  }
}

function checkedCommand(evidence: CommandEvidence): CheckedCommand {
  const { command, exitCode, signal, timedOut, output, environmentDigest } = evidence
  const { totalBytes: outputBytes, digest: outputDigest } = output
  return { command, exitCode, signal, timedOut, outputBytes, outputDigest, environmentDigest }
}

function findingsIn(verdicts: readonly Verdict[]): readonly ReceiptFinding[] {
  return verdicts.flatMap((verdict) =>
    ofKind(verdict, 'finding').map(({ rule, response, message, path, line, waiver }) => ({
      check: verdict.verifier,
      rule,
      response,
      message,
      ...given({ path, line, waiver }),
    })),
  )
}

function authorityIn(verdicts: readonly Verdict[]): readonly ReceiptAuthority[] {
  return verdicts.flatMap((verdict) =>
    ofKind(verdict, 'authority').map(({ paths, by, reason }) => ({
      check: verdict.verifier,
      paths,
      by,
      reason,
    })),
  )
}

function ofKind<Kind extends Evidence['kind']>(
  { evidence }: Verdict,
  kind: Kind,
): readonly Extract<Evidence, { kind: Kind }>[] {
  return evidence.filter((entry): entry is Extract<Evidence, { kind: Kind }> => entry.kind === kind)
}

const chainAlgorithm = 'donecheck-chain-v1'

/** Chains events: h(0) = SHA-256 of the algorithm's name, h(n) = SHA-256 of hex h(n - 1) and event n. */
export function headOf(events: readonly RunEvent[]): string {
  return events.reduce((link, event) => sha256(link + canonicalJson(event)), sha256(chainAlgorithm))
}
