import type { HookPoint } from '@donecheck/core/gate'
import type { HookAnswer, HookInputs, HookResults, Occasion } from '../../../ports/callbacks.ts'
import { tellNews } from '../calls/asked-before.ts'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'

/** What of the world hooks are shown. */
type Hooking = Pick<World, 'hooks' | 'history' | 'signal' | 'suspend'>

/** What a point's hooks are given beside the occasion. */
export type HookedWith<Point extends HookPoint> = Omit<HookInputs[Point], keyof Occasion>

/** What the hooks of a point decided together. */
export async function fireHooks<Point extends HookPoint>(
  point: Point,
  input: HookedWith<Point>,
  session: Session,
  world: Hooking,
  signal?: AbortSignal,
): Promise<HookResults[Point]> {
  return (await answerOfHooks(point, input, session, world, signal)).merged
}

/** Asks the hooks of a point, one after the other, and records what each of them did. Nobody there: nothing happens. */
export async function answerOfHooks<Point extends HookPoint>(
  point: Point,
  input: HookedWith<Point>,
  session: Session,
  world: Hooking,
  signal: AbortSignal = world.signal,
): Promise<HookAnswer<Point>> {
  const { hooks, history } = world
  if (!hooks.has(point)) return { merged: {}, ran: [] }
  const occasion: Occasion = { runId: session.runId, turn: session.state.turn, signal, history }
  // The two halves of the input of this very point.
  const answer = await hooks.fire(point, { ...occasion, ...input } as unknown as HookInputs[Point])
  const callId = answer.ran.find((one) => one.callId !== undefined)?.callId ?? ''
  const facts = answer.ran.map((one) => ({ ...one, type: 'hook-ran' as const }))
  await tellNews(callId, facts, session, world)
  return answer
}
