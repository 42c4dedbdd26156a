/** Cycles in whose rounds a call comes more than once. */
import { roundsOfLoop, type LoopClass } from '../generated-run.ts'
import type { Script } from '../script.ts'
import type { Call } from '../world/dialect.ts'
import { newLook } from '../world/ordinary-work.ts'
import { restlessCalls } from '../world/restless-calls.ts'
import { parrotOf } from './cycles.ts'
import { loopClass, type RoundPlan } from './round.ts'

function oneByOne(script: Script, calls: readonly Call[]): RoundPlan {
  const parrot = parrotOf(script)
  const round = () => {
    for (const [at, call] of calls.entries()) script.turn([call], parrot(at))
  }
  return { period: calls.length, rounds: roundsOfLoop, round }
}

/** A B A C: one call is the hub of the others. */
function hub(script: Script): RoundPlan {
  const [first, ...others] = restlessCalls(script, script.random.between(3, 6))
  if (first === undefined) throw new RangeError('a hub needs calls')
  return oneByOne(
    script,
    others.flatMap((other) => [first, other]),
  )
}

/** A B A B C: a cycle within the cycle. */
function nested(script: Script): RoundPlan {
  const { random } = script
  const inner = restlessCalls(script, random.between(2, 3))
  const outer = restlessCalls(script, random.between(4, 6)).slice(inner.length)
  return oneByOne(script, [...inner, ...inner, ...outer])
}

/** A A B B C C. */
function doubled(script: Script): RoundPlan {
  const calls = restlessCalls(script, script.random.between(2, 6))
  return oneByOne(
    script,
    calls.flatMap((call) => [call, call]),
  )
}

/** Two to six equal calls a turn, turn after turn. */
function equalCallsEachTurn(script: Script): RoundPlan {
  const [call] = restlessCalls(script, 1)
  if (call === undefined) throw new RangeError('a batch needs a call')
  const batch = Array.from({ length: script.random.between(2, 6) }, () => call)
  const parrot = parrotOf(script)
  return { period: batch.length, rounds: roundsOfLoop, round: () => script.turn(batch, parrot(0)) }
}

/** Between two rounds, two or three looks at something new. */
function looksBetweenRounds(script: Script): RoundPlan {
  const { random } = script
  const calls = restlessCalls(script, random.between(3, 8))
  const { period, rounds, round } = oneByOne(script, calls)
  return {
    period,
    rounds,
    round(number) {
      const looks = number === 0 ? 0 : random.between(2, 3)
      for (let look = 0; look < looks; look += 1) script.turn([newLook(script)])
      round(number)
    },
  }
}

export const builtCycles: readonly LoopClass[] = [
  loopClass({
    name: 'cycle with a hub',
    about: 'one call comes before each of two to five others',
    demand: 'laps',
    plan: hub,
  }),
  loopClass({
    name: 'cycle within a cycle',
    about: 'two or three calls twice, then others, and again',
    demand: 'laps',
    plan: nested,
  }),
  loopClass({
    name: 'cycle of doubled calls',
    about: 'each call of the cycle is made twice in a row',
    demand: 'laps',
    plan: doubled,
  }),
  loopClass({
    name: 'equal calls in each turn',
    about: 'two to six equal calls a turn, turn after turn',
    demand: 'laps',
    plan: equalCallsEachTurn,
  }),
  loopClass({
    name: 'new looks between rounds',
    about: 'a cycle of three to eight; between two rounds two or three calls that occur nowhere else',
    demand: 'laps',
    plan: looksBetweenRounds,
  }),
]
