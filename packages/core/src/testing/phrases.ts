import * as facts from './facts.ts'
import type { CommandEvidence, Verdict, VerdictStatus } from '../events/verdicts/index.ts'
import type { Fact, VerificationTrigger, RunEvent } from '../events/index.ts'
import { stamp, type Stamping } from './given.ts'

export type VerdictDetails = Partial<Omit<Verdict, 'verifier' | 'status'>>

/** The command ended with exit code 0. */
export function passedVerdict(verifier: string, details: VerdictDetails = {}): Verdict {
  const evidence = [commandEvidence({ command: verifier, exitCode: 0 })]
  return verdict(verifier, 'passed', { reason: `${verifier} passed`, evidence, ...details })
}

/** The command ended with exit code 1. */
export function failedVerdict(verifier: string, details: VerdictDetails = {}): Verdict {
  const evidence = [commandEvidence({ command: verifier, exitCode: 1 })]
  return verdict(verifier, 'failed', { reason: `${verifier} failed`, evidence, ...details })
}

/** The command was stopped at its time limit. */
export function erroredVerdict(verifier: string, details: VerdictDetails = {}): Verdict {
  const evidence = [commandEvidence({ command: verifier, exitCode: null, signal: 'SIGKILL', timedOut: true })]
  return verdict(verifier, 'error', { reason: `${verifier} timed out`, evidence, ...details })
}

/** Not applicable, waived or without a vote. */
export function skippedVerdict(verifier: string, details: VerdictDetails = {}): Verdict {
  return verdict(verifier, 'skipped', { reason: `${verifier} does not apply`, ...details })
}

/** Waits for a person or a process. */
export function pending(verifier: string, details: VerdictDetails = {}): Verdict {
  return verdict(verifier, 'pending', { reason: `${verifier} waits for a person`, ...details })
}

const byStatus = {
  passed: passedVerdict,
  failed: failedVerdict,
  error: erroredVerdict,
  skipped: skippedVerdict,
  pending,
} as const satisfies Record<VerdictStatus, unknown>

export function verdictOf(status: VerdictStatus, verifier: string, details: VerdictDetails = {}): Verdict {
  return byStatus[status](verifier, details)
}

/** A short output is included in full; its digest is not computed. */
export function commandEvidence(
  details: Partial<Omit<CommandEvidence, 'kind' | 'output'>> & { readonly output?: string } = {},
): CommandEvidence {
  const { output = '', ...different } = details
  return {
    kind: 'command',
    command: 'npm test',
    folder: '/srv/tree',
    exitCode: 0,
    signal: null,
    timedOut: false,
    environmentDigest: '0'.repeat(64),
    ...different,
    output: { head: output, tail: '', totalBytes: output.length, omittedBytes: 0, digest: '0'.repeat(64) },
  }
}

function verdict(verifier: string, status: VerdictStatus, details: VerdictDetails): Verdict {
  const base = { reason: '', canRetry: true, qualifiers: [], evidence: [], durationMs: 5 }
  return { ...base, ...details, verifier, status }
}

/** The run, its task, and its baseline checks; the baseline fingerprint is `tree-0`. */
export function begun(choices: facts.RunChoices = {}, ...baseline: readonly Verdict[]): readonly Fact[] {
  const start = [facts.runStarted(choices), facts.goalSet(), facts.workspaceObserved('tree-0')]
  return baseline.length === 0 ? start : [...start, ...checked('baseline', ...baseline)]
}

/** A complete verification. */
export function checked(trigger: VerificationTrigger, ...verdicts: readonly Verdict[]): readonly Fact[] {
  const names = verdicts.map(({ verifier }) => verifier)
  return [facts.verificationStarted(trigger, ...names), ...verdicts.map(facts.verdictGiven)]
}

/** A turn that wrote a file, up to the observed tree. */
export function edited(turn: number, fingerprint: string): readonly Fact[] {
  const callId = `edit-${turn}`
  return [
    facts.modelCalled(turn),
    facts.modelProposed(callId),
    facts.toolCalled(callId),
    facts.toolReturned(callId),
    facts.workspaceObserved(fingerprint),
  ]
}

export function claimed(turn: number, text?: string): readonly Fact[] {
  return [facts.modelCalled(turn), facts.modelClaimed(text)]
}

/** One fact of every kind, in a plausible order. */
export const everyKindOfFact: readonly Fact[] = [
  facts.runStarted({ verifiers: ['npm test'], recipe: { command: 'an agent', words: [1, null, true] } }),
  facts.goalSet('make the tests pass: ✓ ünïcödé\n'),
  facts.verificationStarted('baseline', 'npm test'),
  facts.verdictGiven(failedVerdict('npm test')),
  facts.modelCalled(1),
  facts.modelFailed(),
  facts.modelCalled(1, 2),
  facts.modelProposed('call-1', 'call-2'),
  facts.approvalRequested('call-1'),
  facts.approvalGiven('call-1'),
  facts.toolCalled('call-1'),
  facts.toolReturned('call-1', 'a zero \0 and half a character \ud800'),
  facts.toolRefused('call-2'),
  facts.subRunStarted('run-2', 'call-1'),
  facts.subRunEnded('run-2'),
  facts.workspaceObserved('tree-2'),
  facts.findingNoted({
    rule: 'tokens',
    level: 'note',
    message: 'much',
    numbers: { used: 0.5 },
    basedOn: [8],
  }),
  facts.turnEnded(1, 'the tests fail'),
  { type: 'reply-judging-started', attempt: 1, maxAttempts: 3 },
  facts.replyJudged(1, { status: 'failed', category: 'incomplete', score: 0.5 }),
  facts.replySettled(),
  facts.replyDelivered(),
  facts.finalSummaryCalled(),
  facts.finalSummaryReplied(),
  facts.interruptRequested(),
  facts.runStopped('user_interrupt', { outcome: 'interrupted' }),
  facts.runResumed(),
  facts.budgetAdded({ iterations: 10, costUsd: 0.5, callsPerTool: { web_search: 5 } }),
  facts.verdictGiven(passedVerdict('npm test', { durationMs: 0.25, fingerprint: 'tree-2' })),
  facts.lastTurnEnded(2, 'task_complete'),
  facts.runStopped('task_complete', { outcome: 'verified' }),
]

/** A run with an event of every kind. */
export function sampleRun(runId = 'run-1'): readonly RunEvent[] {
  return stamp(everyKindOfFact, { runId })
}

/** The start of a run and this many turns, two events each. */
export function sampleTurns(turns: number, stamping: Stamping = {}): readonly RunEvent[] {
  const steps = Array.from({ length: turns }, (_, index) => [
    facts.modelCalled(index + 1),
    facts.modelClaimed(`reply ${index + 1}`),
  ])
  return stamp([facts.runStarted(), facts.goalSet(), ...steps], stamping)
}
