/** What every verifier said last, as it goes into a receipt. */
import { evolve, type RunState } from '@donecheck/core/state'
import type { CommandEvidence, Evidence, Verdict } from '@donecheck/core/verdicts'
import type { RunEvent } from '@donecheck/core/events'
import type { VerifierDescription } from '@donecheck/core/settings'
import { canonicalJson } from '@donecheck/core/base'
import {
  isoTime,
  type CheckedCommand,
  type CheckedVerdict,
  type CheckedVerifier,
  type ReceiptAuthority,
  type ReceiptFinding,
} from './receipt.ts'
import { given, sha256 } from '../../base/index.ts'

/** A verdict with its place in the run. */
type VerdictEvent = Extract<RunEvent, { type: 'verdict-given' }>

/**
 * The last state of a run, and the event of the last verdict of each verifier.
 * @throws {TypeError} when a stream does not begin with `run-started`
 */
export function foldWithVerdicts(events: readonly RunEvent[]) {
  const verdictEvents = new Map<string, VerdictEvent>()
  let state: RunState | undefined
  for (const event of events) {
    state = evolve(state, event)
    // A verdict that nobody had asked for is not taken by the fold.
    if (event.type === 'verdict-given' && state.checks[event.verdict.verifier]?.latest === event.verdict)
      verdictEvents.set(event.verdict.verifier, event)
  }
  return { state, verdictEvents }
}

export function checkedVerifier(
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

/** The findings in the last verdicts of all verifiers. */
export function findingsIn(verdicts: readonly Verdict[]): readonly ReceiptFinding[] {
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

/** Who allowed what in the last verdicts of all verifiers. */
export function authorityIn(verdicts: readonly Verdict[]): readonly ReceiptAuthority[] {
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
