import { describe, expect, it } from 'vitest'
import type { CallStep } from '../../detector.ts'
import type { GeneratedRun } from '../generated-run.ts'
import { loopClasses } from './index.ts'

const seeds = Array.from({ length: 6 }, (_, seed) => seed)

/** Runs of every class whose name begins so. */
function runsOf(name: string): readonly GeneratedRun[] {
  const classes = loopClasses.filter((one) => one.name.startsWith(name))
  expect(classes).not.toEqual([])
  return classes.flatMap((one) => seeds.map((seed) => one.make(seed)))
}

/** The calls of each round. */
function roundsOf({ steps, onset, roundEnds }: GeneratedRun): readonly (readonly CallStep[])[] {
  const calls = steps.filter((step) => step.kind === 'call')
  return roundEnds.map((end, at) => calls.slice(roundEnds[at - 1] ?? onset, end))
}

const callKey = ({ tool, argsDigest }: CallStep) => `${tool} ${argsDigest}`
const wholeKey = (call: CallStep) => `${callKey(call)} ${call.resultDigest ?? 'unknown'}`
const roundKeys = (run: GeneratedRun, key: (call: CallStep) => string) =>
  roundsOf(run).map((round) => round.map(key).join())
const differing = (items: readonly string[]) => new Set(items).size

describe('given a cycle', () => {
  it('comes back with the same calls and results, and no sooner than after its period', () => {
    for (const run of runsOf('identical cycle')) {
      expect(differing(roundKeys(run, wholeKey))).toBe(1)
      const [round = []] = roundsOf(run)
      expect(round).toHaveLength(run.period ?? 0)
      expect(differing(round.map(callKey))).toBe(run.period)
    }
  })

  it('covers every period from 1 to 30 over enough seeds', () => {
    const identical = loopClasses.filter(({ name }) => name.startsWith('identical cycle'))
    const periods = identical.flatMap((one) => Array.from({ length: 40 }, (_, seed) => one.make(seed).period))
    expect(new Set(periods)).toEqual(new Set(Array.from({ length: 30 }, (_, at) => at + 1)))
  })

  it.each(['time in the arguments', 'fresh id in the arguments', 'attempt number in the arguments'])(
    'has other arguments each round and the same results: %s',
    (name) => {
      for (const run of runsOf(name)) {
        expect(differing(roundKeys(run, callKey))).toBe(run.roundEnds.length)
        expect(differing(roundKeys(run, ({ resultDigest }) => resultDigest ?? ''))).toBe(1)
      }
    },
  )

  it('has the same arguments but for blanks: whitespace in the arguments', () => {
    for (const run of runsOf('whitespace in the arguments')) {
      const bare = ({ args }: CallStep) => JSON.stringify(args).replaceAll(/\\n|\s/g, '')
      expect(differing(roundKeys(run, callKey))).toBeGreaterThan(1)
      expect(differing(roundKeys(run, bare))).toBe(1)
      expect(differing(roundKeys(run, ({ resultDigest }) => resultDigest ?? ''))).toBe(1)
    }
  })

  it.each([
    'time in the results',
    'duration in the results',
    'process ids in the results',
    'ping-pong with changing noise',
  ])('has the same arguments each round and other results: %s', (name) => {
    for (const run of runsOf(name)) {
      expect(differing(roundKeys(run, callKey))).toBe(1)
      // Two equal durations may be drawn.
      expect(differing(roundKeys(run, wholeKey))).toBeGreaterThan(run.roundEnds.length / 2)
    }
  })

  it('changes the order of the keys, and with it no digest', () => {
    for (const run of runsOf('keys in another order')) {
      expect(differing(roundKeys(run, wholeKey))).toBe(1)
      expect(differing(roundKeys(run, ({ args }) => JSON.stringify(args)))).toBeGreaterThan(1)
    }
  })

  it('puts calls in between that occur nowhere else, and some rounds have none', () => {
    for (const run of runsOf('one-off insertions')) {
      const calls = roundsOf(run).flat()
      const times = (call: CallStep) => calls.filter((other) => callKey(other) === callKey(call)).length
      const inserted = calls.filter((call) => times(call) === 1)
      expect(inserted.length).toBeGreaterThan(0)
      expect(calls.length - inserted.length).toBe((run.period ?? 0) * run.roundEnds.length)
    }
  })

  it('makes the calls of a round in one turn and in changing order', () => {
    for (const run of runsOf('batches in another order')) {
      const rounds = roundsOf(run)
      expect(rounds.every((round) => differing(round.map(({ turn }) => String(turn))) === 1)).toBe(true)
      expect(differing(rounds.map((round) => round.map(wholeKey).toSorted().join()))).toBe(1)
      expect(differing(roundKeys(run, wholeKey))).toBeGreaterThan(1)
    }
  })

  it('makes several calls a turn', () => {
    for (const run of runsOf('parallel batches')) {
      const [round = []] = roundsOf(run)
      expect(differing(round.map(({ turn }) => String(turn)))).toBeLessThan(round.length)
      expect(differing(roundKeys(run, wholeKey))).toBe(1)
    }
  })

  it.each(['cycle with a hub', 'cycle within a cycle', 'cycle of doubled calls', 'equal calls in each turn'])(
    'comes back whole, with a call that is made more than once a round: %s',
    (name) => {
      for (const run of runsOf(name)) {
        const [round = []] = roundsOf(run)
        expect(differing(roundKeys(run, wholeKey))).toBe(1)
        expect(round).toHaveLength(run.period ?? 0)
        expect(differing(round.map(callKey))).toBeLessThan(round.length)
      }
    },
  )

  it.each([
    'edit done and undone',
    'edit to itself and test',
    'same rewrite and test',
    'three versions in turn',
  ])('makes the same calls each round: %s', (name) => {
    for (const run of runsOf(name)) expect(differing(roundKeys(run, callKey))).toBe(1)
  })
})
