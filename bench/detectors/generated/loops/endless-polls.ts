/** Waiting for what never comes. The first minutes look like any honest wait. */
import { callsOfLoop, type LoopClass } from '../generated-run.ts'
import type { Script } from '../script.ts'
import { duration } from '../world/clock.ts'
import { pollFrom, pollWithoutWait, quietState, waitAndAsk } from '../world/polls.ts'
import { loopClass, type RoundPlan } from './round.ts'

function withWaits(script: Script): RoundPlan {
  const poll = pollFrom(script)
  const state = quietState(script)
  const period = poll.pause === undefined ? 1 : 2
  return { period, rounds: callsOfLoop / period, round: () => waitAndAsk(script, poll, state) }
}

function withoutWaits(script: Script): RoundPlan {
  const poll = pollWithoutWait(script)
  const state = quietState(script)
  return { period: 1, rounds: callsOfLoop, round: () => script.turn([poll.ask(state)]) }
}

function noisy(script: Script): RoundPlan {
  const { random, clock } = script
  const poll = pollWithoutWait(script)
  const state = quietState(script)
  const marks = random.pick([
    () => `${state} (elapsed ${duration(random)})`,
    () => `${clock.mark()} ${state}`,
    () => `${state}, pid ${random.between(300, 65_000)}`,
  ])
  return { period: 1, rounds: callsOfLoop, round: () => script.turn([poll.ask(marks())]) }
}

export const endlessPolls: readonly LoopClass[] = [
  loopClass({
    name: 'poll that never changes, with waits',
    about: 'a job is asked after for ever; between two questions the agent waits',
    demand: 'ever',
    plan: withWaits,
  }),
  loopClass({
    name: 'poll that never changes, without waits',
    about: 'a job is asked after for ever, one question at the heels of the other',
    demand: 'ever',
    plan: withoutWaits,
  }),
  loopClass({
    name: 'poll where only times change',
    about: 'a job is asked after without waits; only times and process ids in its answer change',
    demand: 'ever',
    plan: noisy,
  }),
]
