import { z } from 'zod'
import type { HostAnswer, HostEvent } from '@donecheck/agents/internal/protocol/host'
import { englishPrompts } from '@donecheck/core/internal/decide/prompts'
import type { RunState } from '@donecheck/core/internal/state'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import type { VerifierDescription } from '@donecheck/core/internal/events/settings'
import type { AgentSession } from '@donecheck/agents/internal/session'

const checkLine = z.object({
  name: z.string(),
  /** `unasked`: it has not run in this session. */
  status: z.enum(['passed', 'failed', 'error', 'skipped', 'pending', 'unasked']),
  required: z.boolean(),
  reason: z.string(),
})

export const goalAnswer = z.object({
  task: z.string(),
  checks: z.array(checkLine),
  heldOutChecks: z.number(),
  /** Claims in a row without a better score. */
  blocked: z.number(),
  /** Null while the run is active. */
  end: z.object({ outcome: z.string(), reason: z.string(), message: z.string() }).nullable(),
})

export const doneAnswer = z.object({
  /** `ended`: not verified, and no more work is requested. */
  kind: z.enum(['verified', 'not-verified', 'ended']),
  /** Repeated here: some clients show models only structured output. */
  text: z.string(),
  goal: goalAnswer,
})

type CheckLine = z.output<typeof checkLine>
type GoalAnswer = z.output<typeof goalAnswer>
export type DoneAnswer = z.output<typeof doneAnswer>

export interface SessionRegistry {
  goal(): GoalAnswer
  /** Concurrent claims share one result. */
  check(claim: string, signal?: AbortSignal): Promise<DoneAnswer>
  /** @param check all open checks if absent */
  explain(check?: string): string
}

/** @param task also used for later runs of the session */
export async function openSessionRegistry(
  agentSession: AgentSession,
  task: string,
): Promise<SessionRegistry> {
  await agentSession.observe({ kind: 'prompted', prompt: task })
  const claims = shareWork((claim: string, signal) => claimOnce(agentSession, task, claim, signal))
  return {
    goal: () => goalOf(agentSession, task),
    check: (claim, signal) => claims(claim, signal),
    explain: (check) => describeChecks(agentSession.state, check),
  }
}

async function claimOnce(
  agentSession: AgentSession,
  task: string,
  text: string,
  signal: AbortSignal,
): Promise<DoneAnswer> {
  // An ended session stays ended; after a verified one the checks run again.
  const endedRun = agentSession.end === undefined ? undefined : agentSession.state?.runId
  const answer = await agentSession.observe(stopping(text), signal)
  const isKnown = endedRun !== undefined && endedRun === agentSession.state?.runId
  return {
    kind: kindOf(agentSession.end),
    text: textOf(answer, agentSession, isKnown),
    goal: goalOf(agentSession, task),
  }
}

function stopping(text: string): HostEvent {
  return { kind: 'stopping', text, wasBlocked: false, waitingFor: [], tellsNoWork: true }
}

function kindOf(end: StopTransition | undefined): DoneAnswer['kind'] {
  if (end === undefined) return 'not-verified'
  return end.outcome === 'verified' ? 'verified' : 'ended'
}

/** @param isKnown it had ended before, so nothing was checked */
function textOf(answer: HostAnswer, { end, state }: AgentSession, isKnown: boolean): string {
  if (answer.kind === 'block') return answer.feedback
  if (end === undefined) return 'This was not taken for a claim: nothing was checked.'
  if (end.outcome === 'verified') return `Verified: ${end.message}`
  const words = isKnown ? endedBefore : 'Not verified, and nothing more will be asked of you'
  return `${words}: ${end.message}\n\n${describeChecks(state, undefined)}`
}

const endedBefore =
  'Not verified. This session has ended, and nothing was checked now; a person who wants more starts this server anew'

function goalOf({ state, end }: AgentSession, task: string): GoalAnswer {
  const verifiers = state?.settings.verifiers ?? []
  return {
    task,
    checks: verifiers.filter(isShown).map((verifier) => lineOf(verifier, state)),
    heldOutChecks: verifiers.filter(({ role }) => role === 'held-out').length,
    blocked: state?.blockedStops ?? 0,
    end: end === undefined ? null : { outcome: end.outcome, reason: end.reason, message: end.message },
  }
}

function isShown({ role }: VerifierDescription): boolean {
  return role === 'check' || role === 'guard'
}

function lineOf({ name, required }: VerifierDescription, state: RunState | undefined): CheckLine {
  const latest = state?.checks[name]?.latest
  return { name, required, status: latest?.status ?? 'unasked', reason: latest?.reason ?? '' }
}

function describeChecks(state: RunState | undefined, check: string | undefined): string {
  const verifiers = (state?.settings.verifiers ?? []).filter(isShown)
  const names = verifiers.map(({ name }) => name)
  if (check !== undefined && !names.includes(check))
    return `There is no check "${check}". The checks are: ${names.join(', ') || '(none)'}.`
  const asked = names.filter((name) => check === undefined || name === check)
  const open = asked.flatMap((name) => {
    const { latest, failureStreak = 1 } = state?.checks[name] ?? {}
    return latest === undefined || latest.status === 'passed' || latest.status === 'skipped'
      ? []
      : [{ verdict: latest, times: failureStreak }]
  })
  if (open.length > 0) return englishPrompts.checksFailed(open, { turns: null, tokens: null })
  const unasked = asked.filter((name) => state?.checks[name]?.latest === undefined)
  if (unasked.length > 0) return `Not asked yet: ${unasked.join(', ')}. Call check_done.`
  return 'No check is open.'
}

/** Runs one task at a time; callers share its result. Aborts only when all callers have left. */
export function shareWork<Input, Result>(
  work: (input: Input, signal: AbortSignal) => Promise<Result>,
): (input: Input, signal?: AbortSignal) => Promise<Result> {
  let current:
    { readonly result: Promise<Result>; readonly leave: () => void; readonly join: () => void } | undefined
  return async (input, signal) => {
    current ??= startWork(work, input, () => (current = undefined))
    const { result, join, leave } = current
    join()
    return untilAborted(result, signal, leave)
  }
}

function startWork<Input, Result>(
  work: (input: Input, signal: AbortSignal) => Promise<Result>,
  input: Input,
  onEnd: () => void,
) {
  const controller = new AbortController()
  let waiting = 0
  return {
    result: work(input, controller.signal).finally(onEnd),
    join: () => {
      waiting += 1
    },
    leave: () => {
      waiting -= 1
      if (waiting === 0) controller.abort()
    },
  }
}

async function untilAborted<Result>(
  result: Promise<Result>,
  signal: AbortSignal | undefined,
  leave: () => void,
): Promise<Result> {
  if (signal === undefined) return result
  const gone = Promise.withResolvers<never>()
  const onAbort = () => {
    leave()
    gone.reject(new Error('the request was cancelled'))
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([result, gone.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
