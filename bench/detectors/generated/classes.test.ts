import { canonicalJson } from '@donecheck/core/internal/base'
import { describe, expect, it } from 'vitest'
import { type CallStep, callsOfLoop, roundsOfLoop, type GeneratedRun } from './generated-run.ts'
import { generatedClasses, loopClasses } from './classes.ts'
import { digestOf } from './script.ts'

const seeds = [0, 1]
const callsOf = ({ steps }: GeneratedRun): readonly CallStep[] => steps.filter((step) => step.kind === 'call')
const unitsOf = ({ steps, unit }: GeneratedRun) => steps.filter(({ kind }) => kind === unit).length
const textOf = (run: GeneratedRun) => JSON.stringify(run.steps)

describe('given all generated classes', () => {
  it('gives each its own name and says what it is', () => {
    const names = generatedClasses.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(generatedClasses.filter(({ about }) => about === '')).toEqual([])
  })
})

describe.each(generatedClasses.map((one) => [one.name, one] as const))(
  'given runs of "%s"',
  (_, generated) => {
    const runs = seeds.map((seed) => generated.make(seed))

    it('makes the same run from the same seed and another from another', () => {
      const [first, second] = runs.map(textOf)
      expect(textOf(generated.make(0))).toBe(first)
      expect(second).not.toBe(first)
    })

    it('counts its calls from 0 and its turns upwards', () => {
      for (const run of runs) {
        expect(callsOf(run).every(({ index }, at) => index === at)).toBe(true)
        expect(run.steps.every(({ turn }, at) => turn >= (run.steps[at - 1]?.turn ?? 0))).toBe(true)
      }
    })

    it('says before each turn how many calls follow', () => {
      for (const run of runs) {
        const counts = new Map<number, number>()
        for (const { turn } of callsOf(run)) counts.set(turn, (counts.get(turn) ?? 0) + 1)
        const replies = run.steps.filter((step) => step.kind === 'reply')
        expect(replies.filter(({ turn, calls }) => (counts.get(turn) ?? 0) !== calls)).toEqual([])
      }
    })

    it('carries the digests of its arguments and results', () => {
      const wrong = runs.flatMap(callsOf).filter(({ args, argsDigest, result, resultDigest }) => {
        const digest = result === null ? null : digestOf(result)
        return argsDigest !== digestOf(canonicalJson(args)) || resultDigest !== digest
      })
      expect(wrong).toEqual([])
    })

    it('begins its pattern after at most forty calls, and says where its rounds end', () => {
      for (const run of runs) {
        const { kind, unit, onset, roundEnds } = run
        expect(kind).toBe(generated.kind)
        expect(onset).toBeLessThanOrEqual(40)
        expect(roundEnds.every((end, at) => end > (roundEnds[at - 1] ?? onset))).toBe(true)
        expect(roundEnds.at(-1)).toBe(generated.kind === 'loop' ? unitsOf(run) : undefined)
        expect(unit === 'call' || generated.kind === 'loop').toBe(true)
      }
    })
  },
)

describe('given every class of loops', () => {
  it.each(loopClasses.map((one) => [one.name, one] as const))('goes on for long enough: %s', (_, loop) => {
    for (const seed of seeds) {
      const { roundEnds, onset, unit } = loop.make(seed)
      const hasCalls =
        loop.demand === 'ever' && unit === 'call' && (roundEnds.at(-1) ?? 0) - onset >= callsOfLoop
      expect(roundEnds.length >= roundsOfLoop || hasCalls).toBe(true)
    }
  })
})
