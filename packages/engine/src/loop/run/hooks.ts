import type { HookPoint } from '@donecheck/core/internal/events/gate'
import type { HookAnswer, HookInputs, HookResults, Occasion } from '../../ports/callbacks.ts'
import { tellNews } from './calls/call-records.ts'
import type { LiveRun } from './session/session.ts'
import type { World } from './session/world.ts'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { StopTransition, Transition } from '@donecheck/core/internal/events/transitions'
import type { VerifierDescription } from '@donecheck/core/internal/events/settings'
import type { Verifier, VerifierResult } from '../../ports/checks.ts'

type Hooking = Pick<World, 'hooks' | 'history' | 'signal' | 'suspend'>

type HookedWith<Point extends HookPoint> = Omit<HookInputs[Point], keyof Occasion>

export async function fireHooks<Point extends HookPoint>(
  point: Point,
  input: HookedWith<Point>,
  session: LiveRun,
  world: Hooking,
  signal?: AbortSignal,
): Promise<HookResults[Point]> {
  return (await answerOfHooks(point, input, session, world, signal)).merged
}

/** Runs the hooks of a point in sequence and records each. */
export async function answerOfHooks<Point extends HookPoint>(
  point: Point,
  input: HookedWith<Point>,
  session: LiveRun,
  world: Hooking,
  signal: AbortSignal = world.signal,
): Promise<HookAnswer<Point>> {
  const { hooks, history } = world
  if (!hooks.has(point)) return { merged: {}, ran: [] }
  const occasion: Occasion = { runId: session.runId, turn: session.state.turn, signal, history }
  // Both halves belong to the same point, which the types cannot express.
  const answer = await hooks.fire(point, { ...occasion, ...input } as unknown as HookInputs[Point])
  const callId = answer.ran.find((one) => one.callId !== undefined)?.callId ?? ''
  const facts = answer.ran.map((one) => ({ ...one, type: 'hook-ran' as const }))
  await tellNews(callId, facts, session, world)
  return answer
}

export async function fireRunStarted(session: LiveRun, world: World): Promise<void> {
  const { task, workFolder } = session.state
  await fireHooks('run_started', { task, workFolder }, session, world)
}

export async function fireAfterTurn(transition: Transition, session: LiveRun, world: World): Promise<void> {
  await fireHooks('after_turn', { text: session.state.lastText, transition }, session, world)
  if (transition.kind === 'continue') await fireHooks('on_transition', { transition }, session, world)
}

/** Runs before the end is recorded, so that the record contains the hooks. */
export async function fireAtEnd(transition: StopTransition, session: LiveRun, world: World): Promise<void> {
  // A new signal: the interrupt of the run must not abort its last hooks, which have their own timeouts.
  const { signal } = new AbortController()
  await fireHooks('on_transition', { transition }, session, world, signal)
  await fireHooks('run_ended', { transition }, session, world, signal)
}

export async function fireErrors(events: readonly RunEvent[], session: LiveRun, world: World): Promise<void> {
  for (const event of events) {
    const error = errorOf(event)
    if (error !== undefined) await fireHooks('on_error', error, session, world)
  }
}

function errorOf(event: RunEvent): { readonly where: string; readonly message: string } | undefined {
  switch (event.type) {
    case 'model-failed':
      return { where: 'model', message: event.failure.message }
    case 'verdict-given': {
      const { status, verifier, reason } = event.verdict
      return status === 'error' ? { where: `verifier ${verifier}`, message: reason } : undefined
    }
    case 'tool-refused':
      return event.label === 'gate_failed' ? { where: 'gate', message: event.reason } : undefined
    default:
      return undefined
  }
}

export const finalizeDescription: VerifierDescription = {
  name: 'hooks: before_finalize',
  required: true,
  weight: 1,
  deterministic: true,
  reads: 'answer',
  role: 'probe',
}

export function finalizeVerifier(session: LiveRun, world: World): Verifier {
  return {
    description: finalizeDescription,
    async verify({ finalText }, signal) {
      const verdicts = Object.values(session.state.checks).flatMap(({ latest }) => latest ?? [])
      const input = { answer: finalText, verdicts }
      const { merged, ran } = await answerOfHooks('before_finalize', input, session, world, signal)
      const { veto } = merged
      const failed = ran.filter(({ effect }) => effect === 'failed' || effect === 'timed-out').length
      if (veto === undefined && failed > 0)
        return { ...agreed, reason: `no hook objects; ${failed} failed open` }
      return veto === undefined ? agreed : { ...agreed, status: 'failed', reason: veto, canRetry: true }
    },
  }
}

const agreed: VerifierResult = {
  status: 'passed',
  reason: 'no hook objects',
  canRetry: false,
  qualifiers: [],
  evidence: [],
}
