/** Rounds on the way to becoming a run: where they begin and end is noted down while they are written. */
import type { JsonValue } from '@donecheck/core/internal/events'
import { type GeneratedRun, type LoopClass, type Unit, roundsOfLoop } from './generated-run.ts'
import { duration, scriptFrom, type Script, say, sentence } from './script.ts'
import { workBefore, newLook, restlessCalls } from './world.ts'
import type { Call } from './dialect.ts'

export interface RoundPlan {
  /** Units of one round. Null: rounds are not all of one length. */
  readonly period: number | null
  readonly rounds: number
  /** Writes the round of this number, from 0. */
  readonly round: (number: number) => void
}

interface LoopSpec extends Omit<LoopClass, 'kind' | 'make'> {
  readonly unit?: Unit
  /** Decides what this run repeats. Called after the honest work before it. */
  readonly plan: (script: Script) => RoundPlan
}

export function loopClass({ unit = 'call', plan, ...named }: LoopSpec): LoopClass {
  const make = (seed: number): GeneratedRun => {
    const name = `${named.name} #${seed}`
    const script = scriptFrom(name)
    const units = () => (unit === 'call' ? script.calls : script.replies)
    workBefore(script)
    const { period, rounds, round } = plan(script)
    const onset = units()
    const roundEnds = Array.from({ length: rounds }, (_, number) => {
      round(number)
      return units()
    })
    return { name, kind: 'loop', steps: script.steps, unit, onset, period, roundEnds }
  }
  return { kind: 'loop', ...named, make }
}

type Jitter = (call: Call, script: Script) => Call

const timestamps: Jitter = (call, { random, clock }) =>
  random.chance(0.5) && 'command' in call.args && !('path' in call.args)
    ? { ...call, args: inText(call.args, (text) => `${text} # ${clock.mark()}`) }
    : { ...call, args: { ...call.args, timestamp: clock.mark() } }

/** Blanks at the end, doubled blanks, an empty line. */
const whitespace: Jitter = (call, { random }) => ({
  ...call,
  args: inText(call.args, (text) => {
    const blanks = ' '.repeat(random.between(0, 4))
    return random.pick([
      () => `${text}${blanks}`,
      () => text.replace(' ', ` ${blanks}`) + ' '.repeat(random.between(0, 2)),
      () => `${text}\n${blanks}`,
    ])()
  }),
})

/** A key that is fresh with each call. */
const freshIds: Jitter = (call, { random }) => ({
  ...call,
  args: {
    ...call.args,
    request_id: `${random.hex(8)}-${random.hex(4)}-4${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`,
  },
})

/** The run counts its own attempts. */
const attempts: Jitter = (call, { calls }) => ({ ...call, args: { ...call.args, attempt: calls } })

const keyOrder: Jitter = (call, { random }) => {
  const padded = { ...call.args, timeout: 120, background: false }
  return { ...call, args: Object.fromEntries(random.shuffled(Object.entries(padded))) }
}

export const argumentJitter = { timestamps, whitespace, freshIds, keyOrder, attempts } as const

const stamped: Jitter = (call, { clock }) => inResult(call, (text) => `[${clock.mark()}] ${text}`)

const timed: Jitter = (call, { random }) => inResult(call, (text) => `${text}\nDone in ${duration(random)}`)

const processIds: Jitter = (call, { random }) => {
  const marks = `pid ${random.between(300, 65_000)}, /tmp/run-${random.hex(8)}, at 0x7f${random.hex(10)}`
  return inResult(call, (text) => `${text}\n(${marks})`)
}

const counted: Jitter = (call, { calls }) => inResult(call, (text) => `${text}\n(attempt ${calls})`)

export const resultJitter = { timestamps: stamped, durations: timed, processIds, attempts: counted } as const

/** Several at once. */
export function allOf(...jitters: readonly Jitter[]): Jitter {
  return (call, script) => jitters.reduce((changed, jitter) => jitter(changed, script), call)
}

function inResult(call: Call, change: (text: string) => string): Call {
  return call.result === null ? call : { ...call, result: change(call.result) }
}

/** Changes the text that says what to do: command, pattern, path. */
function inText(args: Call['args'], change: (text: string) => string): Call['args'] {
  const key = ['pattern', 'query', 'url', 'path', 'file_path', 'command'].find(
    (name) => typeof args[name] === 'string',
  )
  const text: JsonValue | undefined = key === undefined ? undefined : args[key]
  return key === undefined || typeof text !== 'string' ? args : { ...args, [key]: change(text) }
}

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
function parrotOf(script: Script): (at: number) => string {
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
