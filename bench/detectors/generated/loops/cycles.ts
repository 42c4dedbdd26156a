/** The same calls with the same outcomes, round after round. */
import { roundsOfLoop, type LoopClass } from '../generated-run.ts'
import type { Script } from '../script.ts'
import type { Call } from '../world/dialect.ts'
import { newLook } from '../world/ordinary-work.ts'
import { restlessCalls } from '../world/restless-calls.ts'
import { say, sentence } from '../world/voice.ts'
import { allOf, argumentJitter, resultJitter, type Jitter } from './jitter.ts'
import { loopClass } from './round.ts'

type Range = readonly [low: number, high: number]

interface Cycle {
  readonly name: string
  readonly about: string
  readonly periods: readonly Range[]
  readonly jitter?: Jitter
  /** How the calls of a round come: one a turn, several a turn, all in one turn and each time in another order. */
  readonly batches?: 'single' | 'parallel' | 'reordered'
  /** Every so many calls one call that occurs nowhere else. */
  readonly insertEvery?: (period: number, script: Script) => number
}

/** What is said before the calls of a round: in some runs the same each time. */
export function parrotOf(script: Script): (at: number) => string {
  const { random, project, voice } = script
  if (!random.chance(0.3)) return () => say(voice, random, project)
  const texts = Array.from({ length: 60 }, () => sentence(random, project))
  return (at) => texts[at % texts.length] ?? ''
}

function batchesOf(
  script: Script,
  calls: readonly Call[],
  how: Cycle['batches'],
): readonly (readonly Call[])[] {
  if (how === 'reordered') return [script.random.shuffled(calls)]
  if (how !== 'parallel') return calls.map((call) => [call])
  const size = Math.max(2, Math.ceil(calls.length / 3))
  return Array.from({ length: Math.ceil(calls.length / size) }, (_, at) =>
    calls.slice(at * size, (at + 1) * size),
  )
}

function cycleClasses({ name, about, periods, jitter, batches, insertEvery }: Cycle): readonly LoopClass[] {
  return periods.map(([low, high]) =>
    loopClass({
      name: `${name}, period ${low === high ? low : `${low}–${high}`}`,
      about,
      demand: 'laps',
      plan(script) {
        const period = script.random.between(low, high)
        const calls = restlessCalls(script, period)
        const parrot = parrotOf(script)
        const every = insertEvery?.(period, script) ?? Infinity
        let sinceInsertion = 0
        const round = () => {
          for (const [at, batch] of batchesOf(script, calls, batches).entries()) {
            if (sinceInsertion >= every) {
              script.turn([newLook(script)])
              sinceInsertion = 0
            }
            script.turn(
              batch.map((call) => jitter?.(call, script) ?? call),
              parrot(at),
            )
            sinceInsertion += batch.length
          }
        }
        return { period, rounds: roundsOfLoop, round }
      },
    }),
  )
}

const everyPeriod: readonly Range[] = [
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 5],
  [6, 9],
  [10, 15],
  [16, 22],
  [23, 30],
]
const shortAndLong: readonly Range[] = [
  [1, 1],
  [2, 3],
  [4, 9],
  [10, 30],
]
const several: readonly Range[] = [
  [2, 3],
  [4, 9],
  [10, 30],
]

const everything = allOf(
  argumentJitter.whitespace,
  argumentJitter.keyOrder,
  resultJitter.timestamps,
  resultJitter.durations,
)

const cycles: readonly Cycle[] = [
  { name: 'identical cycle', about: 'the same calls with the same results', periods: everyPeriod },
  {
    name: 'time in the arguments',
    about: 'only a timestamp in the arguments changes',
    periods: shortAndLong,
    jitter: argumentJitter.timestamps,
  },
  {
    name: 'whitespace in the arguments',
    about: 'only blanks in the arguments change',
    periods: shortAndLong,
    jitter: argumentJitter.whitespace,
  },
  {
    name: 'fresh id in the arguments',
    about: 'only a request id in the arguments changes',
    periods: shortAndLong,
    jitter: argumentJitter.freshIds,
  },
  {
    name: 'keys in another order',
    about: 'the keys of the arguments come in another order each time',
    periods: shortAndLong,
    jitter: argumentJitter.keyOrder,
  },
  {
    name: 'time in the results',
    about: 'only a timestamp in the results changes',
    periods: shortAndLong,
    jitter: resultJitter.timestamps,
  },
  {
    name: 'duration in the results',
    about: 'only a duration in the results changes',
    periods: shortAndLong,
    jitter: resultJitter.durations,
  },
  {
    name: 'process ids in the results',
    about: 'only process ids, addresses and names of temporary files change',
    periods: shortAndLong,
    jitter: resultJitter.processIds,
  },
  {
    name: 'attempt number in the arguments',
    about: 'only a count of the attempts in the arguments changes',
    periods: [[1, 5]],
    jitter: argumentJitter.attempts,
  },
  {
    name: 'attempt number in the results',
    about: 'only a count of the attempts in the results changes',
    periods: [[1, 5]],
    jitter: resultJitter.attempts,
  },
  {
    name: 'noise everywhere',
    about: 'blanks, key order, times and durations change together',
    periods: shortAndLong,
    jitter: everything,
  },
  {
    name: 'one-off insertions',
    about: 'every few calls one that occurs nowhere else and changes nothing',
    periods: [
      [1, 3],
      [4, 9],
      [10, 30],
    ],
    insertEvery: (period, { random }) => random.between(Math.max(3, Math.ceil(period / 2)), 2 * period + 3),
  },
  {
    name: 'batches in another order',
    about: 'one turn with the same calls, each time in another order',
    periods: several,
    batches: 'reordered',
  },
  {
    name: 'parallel batches',
    about: 'the calls of a round come several a turn',
    periods: several,
    batches: 'parallel',
  },
  {
    name: 'ping-pong with changing noise',
    about: 'two calls in turn; times, durations and process ids in their results change',
    periods: [[2, 2]],
    jitter: allOf(resultJitter.timestamps, resultJitter.durations, resultJitter.processIds),
  },
]

export const cycleLoops: readonly LoopClass[] = cycles.flatMap(cycleClasses)
