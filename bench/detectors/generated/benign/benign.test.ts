import { describe, expect, it } from 'vitest'
import type { CallStep } from '../../detector.ts'
import type { GeneratedRun } from '../generated-run.ts'
import { benignClasses } from './index.ts'

const seeds = Array.from({ length: 12 }, (_, seed) => seed)

function runsOf(name: string): readonly GeneratedRun[] {
  const found = benignClasses.find((one) => one.name === name)
  if (found === undefined) throw new RangeError(`no class is called ${name}`)
  return seeds.map((seed) => found.make(seed))
}

/** The calls from the pattern on. */
const patternOf = ({ steps, onset }: GeneratedRun): readonly CallStep[] =>
  steps.filter((step) => step.kind === 'call').filter(({ index }) => index >= onset)

const wholeKey = ({ tool, argsDigest, resultDigest }: CallStep) =>
  `${tool} ${argsDigest} ${resultDigest ?? 'unknown'}`

/** How often the most frequent key occurs. */
function most(calls: readonly CallStep[], key: (call: CallStep) => string): number {
  const counts = new Map<string, number>()
  for (const call of calls) counts.set(key(call), (counts.get(key(call)) ?? 0) + 1)
  return Math.max(0, ...counts.values())
}

describe('given honest work', () => {
  it.each(['poll that changes', 'stepping with the same call', 'query that changes'])(
    'has the same call with other results: %s',
    (name) => {
      for (const run of runsOf(name)) {
        expect(most(patternOf(run), ({ tool, argsDigest }) => tool + argsDigest)).toBeGreaterThanOrEqual(10)
        expect(most(patternOf(run), wholeKey)).toBeLessThanOrEqual(2)
      }
    },
  )

  it('waits for a quiet job, and the job does end', () => {
    for (const run of runsOf('quiet job')) {
      expect(most(patternOf(run), wholeKey)).toBeGreaterThanOrEqual(10)
      expect(patternOf(run).some(({ result }) => result?.includes('finished, exit code 0'))).toBe(true)
    }
  })

  it('gives the same answer for each file of a batch, and each file its own call', () => {
    for (const run of runsOf('lint of 25 files')) {
      expect(most(patternOf(run), ({ resultDigest }) => resultDigest ?? '')).toBeGreaterThanOrEqual(25)
      expect(most(patternOf(run).slice(0, 25), ({ argsDigest }) => argsDigest)).toBe(1)
    }
  })

  it('fails with fewer tests each round', () => {
    for (const run of runsOf('edit and test, fewer failures')) {
      const tests = patternOf(run).filter((call) =>
        /pytest|vitest|npm test|go test/.test(JSON.stringify(call.args)),
      )
      expect(tests.length).toBeGreaterThanOrEqual(8)
      expect(most(tests.slice(0, 8), wholeKey)).toBe(1)
    }
  })

  it('never makes more than seven rounds with the same failure where progress is slow', () => {
    for (const run of runsOf('edit and test, slow progress')) {
      const calls = patternOf(run).filter(({ args }) =>
        /pytest|vitest|npm test|go test/.test(JSON.stringify(args)),
      )
      expect(most(calls, wholeKey)).toBeLessThanOrEqual(7)
      expect(most(calls, wholeKey)).toBeGreaterThanOrEqual(2)
    }
  })

  it('puts equal calls of a batch into one turn', () => {
    for (const run of runsOf('equal tasks in one turn')) {
      const [first, ...others] = patternOf(run).filter(({ tool }) => tool === 'start_agent')
      expect(others.length).toBeGreaterThanOrEqual(2)
      expect(others.every(({ turn }) => turn === first?.turn)).toBe(true)
    }
  })

  it('does not know what came back where nobody wrote it down', () => {
    for (const run of runsOf('outcomes not recorded')) {
      const unknown = patternOf(run).filter(({ result }) => result === null)
      expect(unknown.length).toBeGreaterThanOrEqual(16)
      expect(unknown.every(({ resultDigest }) => resultDigest === null)).toBe(true)
    }
  })

  it('goes on after the pattern: the run was right to', () => {
    for (const generated of benignClasses) {
      expect(generated.make(0).steps.at(-1)?.kind).toBe('call')
    }
  })

  it('leaves out what was an error in about a third of the runs, and in the others says it', () => {
    const runs = benignClasses.flatMap((generated) => seeds.map((seed) => generated.make(seed)))
    const silent = runs.filter((run) =>
      run.steps.every((step) => step.kind !== 'call' || step.isError === null),
    )
    expect(silent.length / runs.length).toBeGreaterThan(0.25)
    expect(silent.length / runs.length).toBeLessThan(0.42)
  })
})
