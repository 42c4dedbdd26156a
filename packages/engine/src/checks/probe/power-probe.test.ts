import { describe, expect, it } from 'vitest'
import type { VerdictStatus } from '@donecheck/core/verdicts'
import type { Verifier, VerifierContext, VerifierReport } from '../../ports/checks.ts'
import { verifierContract } from '../../testing/contracts/verifier-contract.ts'
import { change, checkThat, context, memoryTrees, report } from './fixtures/memory-trees.ts'
import { powerProbe, type PowerProbeOptions } from './power-probe.ts'

const before = 'export const inner = (a) => a\n'
const after = 'export const inner = (a, low, high) => a > low && a < high\n'
const changes = [change('inner.js', before, after)]
const never = new AbortController().signal

/** A check that is red where the function says so of the file. */
function seeing(isRed: (text: string | null) => boolean, red: VerdictStatus = 'failed') {
  const world = memoryTrees(changes)
  const asked: VerifierContext[] = []
  const check = checkThat('tests', (own) => {
    asked.push(own)
    return report(isRed(world.read(own.workFolder ?? '', 'inner.js')) ? red : 'passed')
  })
  return { ...world, asked, check }
}

const strong = () => seeing((text) => text !== after)
const blind = () => seeing(() => false)
/** Sees the change, and one of the two sides. */
const halfBlind = () => seeing((text) => text === before || text?.includes('a > low') !== true)

function probe(world: ReturnType<typeof seeing>, options: Partial<PowerProbeOptions> = {}): Verifier {
  return powerProbe({ checks: [world.check], trees: world.trees, ...options })
}

const run = (verifier: Verifier, signal = never): Promise<VerifierReport> => verifier.verify(context, signal)
const notes = ({ evidence }: VerifierReport) =>
  evidence.flatMap((piece) => (piece.kind === 'note' ? [piece.text] : []))
const measures = ({ evidence }: VerifierReport) =>
  Object.fromEntries(
    evidence.flatMap((piece) => (piece.kind === 'measure' ? [[piece.name, piece.value]] : [])),
  )

verifierContract('power probe', {
  passing: () => probe(strong(), { minPower: 0.9 }),
  failing: () => probe(blind(), { minPower: 0.1 }),
  makeUndecided: () => probe(seeing(() => true)),
  hanging: (onStart) => {
    const { trees } = memoryTrees(changes)
    const check = checkThat('tests', (_, signal) => {
      const { promise, resolve } = Promise.withResolvers<VerifierReport>()
      signal.addEventListener('abort', () => resolve(report('error', 'interrupted')))
      onStart()
      return promise
    })
    return powerProbe({ checks: [check], trees })
  },
})

describe('given checks that see every fault', () => {
  it('their power is 1', async () => {
    const said = await run(probe(strong(), { minPower: 1 }))
    expect(said).toMatchObject({ status: 'passed', score: 1 })
    expect(said.reason).toMatch(/^the checks caught (\d+) of \1 planted faults \(power 1\.00; wanted: 1\)$/u)
    expect(said.evidence[0]).toEqual({ kind: 'measure', name: 'power', value: 1, bound: 1 })
  })

  it('each fault is planted in a copy of its own, which is ended', async () => {
    const world = strong()
    await run(probe(world, { maxMutants: 3 }))
    expect(world.folders()).toHaveLength(1 + 1 + 3)
    expect(world.disposed).toEqual(world.folders())
    expect(world.asked.map(({ workFolder }) => workFolder)).toEqual(world.folders())
  })

  it('the checks are told of no baseline and no fingerprint, which are those of another tree', async () => {
    const world = strong()
    await run(probe(world))
    for (const own of world.asked)
      expect(own).toMatchObject({ trigger: 'turn', baseline: undefined, fingerprint: undefined })
  })
})

describe('given held-out checks with files of their own', () => {
  const hidden = (check: Verifier): Verifier => ({
    ...check,
    description: { ...check.description, name: 'hidden', role: 'held-out' },
  })

  it('they alone meet their files, and what one kind does not notice the other may', async () => {
    const world = blind()
    const laid: string[] = []
    const heldOutCopy: NonNullable<typeof world.trees.heldOutCopy> = async (overlay, signal) => {
      const tree = await world.trees.copy(overlay, signal)
      laid.push(tree.folder)
      return tree
    }
    const asked: (string | null)[] = []
    const strict = hidden(
      checkThat('hidden', ({ workFolder }) => {
        asked.push(workFolder)
        return report(world.read(workFolder ?? '', 'inner.js') === after ? 'passed' : 'failed')
      }),
    )
    const trees = { ...world.trees, heldOutCopy }
    const said = await run(probe(world, { checks: [world.check, strict], trees, minPower: 1 }))
    expect(said).toMatchObject({ status: 'passed', score: 1 })
    expect(asked).toEqual(laid)
    for (const { workFolder } of world.asked) expect(laid).not.toContain(workFolder)
  })
})

describe('given checks that see some faults', () => {
  it('below the bound it has failed, and names the tests that are missing', async () => {
    const said = await run(probe(halfBlind(), { minPower: 0.9 }))
    expect(said).toMatchObject({ status: 'failed', canRetry: true })
    expect(said.reason).toMatch(/add a test that fails when inner\.js:1: `.+` became `/u)
    expect(notes(said)[0]).toMatch(/^survived: inner\.js:1: /u)
    expect(notes(said)).toContain('caught by tests: the whole change is taken back (1 file)')
    const { power = 0, 'mutants planted': planted = 0, 'mutants caught': caught = 0 } = measures(said)
    expect(power).toBe((caught + 1) / (planted + 1))
    expect(power).toBeLessThan(0.9)
  })

  it('at the bound it passes', async () => {
    const { score = 0 } = await run(probe(halfBlind()))
    expect(await run(probe(halfBlind(), { minPower: score }))).toMatchObject({ status: 'passed' })
  })

  it('without a bound it is recorded, and decides nothing', async () => {
    const verifier = probe(halfBlind())
    expect(verifier.description).toMatchObject({ required: false, role: 'probe' })
    expect(probe(halfBlind(), { minPower: 0 }).description.required).toBe(true)
    expect(await run(verifier)).toMatchObject({ status: 'passed' })
  })
})

describe('given checks that see nothing', () => {
  it('it has failed, even without a bound', async () => {
    const said = await run(probe(blind()))
    expect(said).toMatchObject({ status: 'failed', score: 0 })
    expect(notes(said)).toContain('survived: the whole change is taken back (1 file)')
  })

  it('a second check that sees what the first does not is asked', async () => {
    const world = strong()
    const first = checkThat('lint', () => report('passed'))
    const said = await run(powerProbe({ checks: [first, world.check], trees: world.trees, minPower: 1 }))
    expect(said).toMatchObject({ status: 'passed' })
    expect(notes(said)[0]).toMatch(/^caught by tests/u)
  })
})

describe('given faults that cannot be decided', () => {
  it('trouble catches nothing, and nothing is known', async () => {
    const said = await run(probe(seeing((text) => text !== after, 'error')))
    expect(said).toMatchObject({ status: 'error' })
    expect(said.score).toBeUndefined()
    expect(said.reason).toContain('could not be tried: tests: it error')
  })

  it('a bound that is kept without them is kept; one that hangs on them is not decided', async () => {
    const withBound = (bound: Partial<PowerProbeOptions>) => {
      const world = strong()
      const check = checkThat('tests', ({ workFolder }) => {
        const text = world.read(workFolder ?? '', 'inner.js')
        if (text === before) return report('failed')
        return report(text === after ? 'passed' : 'error')
      })
      return run(powerProbe({ checks: [check], trees: world.trees, maxMutants: 1, ...bound }))
    }
    expect(await withBound({})).toMatchObject({ status: 'passed', score: 1 })
    expect(await withBound({ minPower: 0.5 })).toMatchObject({ status: 'passed' })
    expect(await withBound({ minPower: 0.6 })).toMatchObject({ status: 'error' })
  })

  it('a check that throws has not caught anything', async () => {
    const world = strong()
    const check = checkThat('tests', ({ workFolder }) => {
      if (world.read(workFolder ?? '', 'inner.js') !== after) throw new Error('it broke')
      return report('passed')
    })
    const said = await run(powerProbe({ checks: [check], trees: world.trees }))
    expect(said).toMatchObject({ status: 'error' })
    expect(said.reason).toContain('tests: it broke')
  })

  it('a check that does not end with a fault in the tree has caught it', async () => {
    const world = strong()
    const check = checkThat('tests', ({ workFolder }, signal) => {
      if (world.read(workFolder ?? '', 'inner.js') === after) return report('passed')
      const { promise, resolve } = Promise.withResolvers<VerifierReport>()
      signal.addEventListener('abort', () => resolve(report('error', 'interrupted')))
      return promise
    })
    const said = await run(
      powerProbe({
        checks: [check],
        trees: world.trees,
        maxMutants: 1,
        maxSecondsPerFault: 0.01,
        minPower: 1,
      }),
    )
    expect(said).toMatchObject({ status: 'passed' })
    expect(notes(said)[0]).toContain('caught by tests, which did not end: ')
  })

  it('after the time for all, nothing further is tried', async () => {
    const world = strong()
    const check = checkThat('tests', ({ workFolder }, signal) => {
      if (world.read(workFolder ?? '', 'inner.js') === after) return report('passed')
      const { promise, resolve } = Promise.withResolvers<VerifierReport>()
      signal.addEventListener('abort', () => resolve(report('error', 'interrupted')))
      return promise
    })
    const said = await run(
      powerProbe({ checks: [check], trees: world.trees, maxSeconds: 0.5, minPower: 0.1 }),
    )
    expect(said).toMatchObject({ status: 'error' })
    expect(said.reason).toContain('the time of the power probe was over')
    expect(world.folders()).toHaveLength(2)
  })
})

describe('given a tree of which nothing can be said', () => {
  it('checks that are red without any fault say nothing', async () => {
    const said = await run(probe(seeing(() => true)))
    expect(said).toMatchObject({ status: 'error' })
    expect(said.reason).toContain('do not pass in a clean copy')
    expect(said.reason).toContain('tests: failed: it failed')
  })

  it('checks that are all skipped say nothing', async () => {
    expect(await run(probe(seeing(() => true, 'skipped')))).toMatchObject({ status: 'error' })
  })

  it('a change without any source is left out, with words', async () => {
    const { trees } = memoryTrees([change('README.md', 'a', 'b')])
    const said = await run(powerProbe({ checks: [blind().check], trees }))
    expect(said).toMatchObject({ status: 'skipped' })
    expect(said.reason).toContain('README.md')
  })

  it('a bound that could not be measured is not met', async () => {
    const { trees } = memoryTrees([change('README.md', 'a', 'b')])
    const said = await run(powerProbe({ checks: [blind().check], trees, minPower: 0.5 }))
    expect(said).toMatchObject({ status: 'failed' })
    expect(said.reason).toContain('could not be measured')
  })

  it('an unknown baseline is an error', async () => {
    const trees = { ...blind().trees, changes: () => Promise.reject(new Error('there is no record')) }
    const said = await run(powerProbe({ checks: [blind().check], trees }))
    expect(said).toMatchObject({ status: 'error' })
    expect(said.reason).toContain('there is no record')
  })
})

describe('given options that make no sense', () => {
  const { check, trees } = blind()
  const answers = checkThat('answer', () => report('passed'), 'answer')

  it.each<[string, Partial<PowerProbeOptions>]>([
    ['no checks', { checks: [] }],
    ['only checks of the answer', { checks: [answers] }],
    ['only a probe', { checks: [powerProbe({ checks: [check], trees })] }],
    ['minPower', { minPower: 1.5 }],
    ['minPower', { minPower: Number.NaN }],
    ['maxMutants', { maxMutants: -1 }],
    ['maxSeconds', { maxSeconds: 0 }],
    ['maxSecondsPerFault', { maxSecondsPerFault: Number.NaN }],
  ])('%s is refused', (_, options) => {
    expect(() => powerProbe({ checks: [check], trees, ...options })).toThrow(/power probe|minPower|max/u)
  })
})
