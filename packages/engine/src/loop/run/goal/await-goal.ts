/** A goal that waits begins no turn and uses no token: the world is looked at until it is over, it expires, or somebody changes the goal. */
import type { Decision } from '@donecheck/core/decide'
import { fold } from '@donecheck/core/state'
import type { EpochMs } from '@donecheck/core/events'
import type { Awaited, WaitEnd } from '@donecheck/core/goal'
import { given } from '../../../base/index.ts'
import { isAlive, thisHolder } from '../../../system/process/index.ts'
import { isAborted } from '../perform/effect-signal.ts'
import type { Session } from '../session/session.ts'
import type { Waiting, World } from '../session/world.ts'
import { takeInRequests } from './take-in.ts'

/** Between two looks. */
const lookEveryMs = 500

/** An interrupt alone leaves it without an event. */
export async function awaitGoal(
  { awaited, expiresAtMs, reason }: Extract<Decision, { kind: 'await' }>,
  session: Session,
  world: World,
): Promise<void> {
  const { clock, signal, prompts, suspend } = world
  while (!isAborted(signal)) {
    if (await takeInRequests(session, world)) return
    const isLate = clock.nowMs() >= expiresAtMs
    const how = endOf(await isOver(awaited, isLate, world), isLate)
    if (how !== undefined) {
      const goalId = session.state.goal.id
      const text = prompts.waitEnded({ reason, how })
      await session.tell({ type: 'goal-wait-ended', goalId, how }, { type: 'drive-steered', goalId, text })
      return
    }
    const elsewhere = waitingFor(awaited, expiresAtMs)
    if (suspend !== undefined && elsewhere !== undefined) suspend(elsewhere)
    else await clock.sleep(Math.max(1, Math.min(lookEveryMs, expiresAtMs - clock.nowMs())), signal)
  }
}

/** Undefined: it can be seen from this machine alone. */
function waitingFor(awaited: Awaited, untilMs: EpochMs): Waiting | undefined {
  switch (awaited.kind) {
    case 'time':
      return { kind: 'time', untilMs, because: 'goal' }
    case 'run':
      return { kind: 'run', runId: awaited.runId, untilMs }
    case 'process':
      return undefined
  }
}

function endOf(over: boolean | undefined, isLate: boolean): WaitEnd | undefined {
  if (over === undefined) return 'unknown'
  return over ? 'over' : isLate ? 'expired' : undefined
}

/** Undefined: nobody can tell. */
async function isOver(awaited: Awaited, isLate: boolean, { store }: World): Promise<boolean | undefined> {
  switch (awaited.kind) {
    case 'time':
      return isLate
    case 'process': {
      const { processId, processStart, host } = awaited
      const life = isAlive({ ...thisHolder(''), processId, processStart, ...given({ host }) })
      return life === 'unknown' ? undefined : life === 'dead'
    }
    case 'run': {
      const state = fold(await store.read(awaited.runId))
      return state === undefined ? undefined : state.phase.kind === 'stopped'
    }
  }
}
