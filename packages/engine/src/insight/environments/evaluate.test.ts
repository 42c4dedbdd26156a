import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RunHeldError, UsageError } from '../../base/index.ts'
import { verifierOf } from '../../checks/verify/index.ts'
import { memoryStore, scriptedAgent } from '../../testing/index.ts'
import { type Attempt, defineEnvironment, type EnvironmentOptions, score } from './environment.ts'
import { evaluate, type EvaluationOptions } from './evaluate.ts'
import type { ItemResult } from './results.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-environments-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function fail(message: string): never {
  throw new Error(message)
}

const hasGreeting = verifierOf('greeting', ({ workFolder: tree }) =>
  existsSync(join(tree ?? '', 'hello.txt')) ? true : { passed: false, reason: 'no hello.txt' },
)

const greeting = (more: Partial<EnvironmentOptions> = {}) =>
  defineEnvironment({
    name: 'greeting',
    setup: (tree, seed) => writeFileSync(join(tree, 'seed.txt'), String(seed)),
    task: 'Write hello.txt.',
    checks: [hasGreeting],
    loop: () => ({ hardCap: { iterations: 2 } }),
    ...more,
  })

const changing = { description: { sideEffects: true } }
const writer = ({ folder: tree }: Attempt) =>
  scriptedAgent([() => (writeFileSync(join(tree, 'hello.txt'), 'hello'), 'Done.')], changing)
const liar = () => scriptedAgent(['All done, the score is 1!'], { ...changing, repeatLast: true })

const evaluated = (more: Partial<EvaluationOptions> = {}) =>
  evaluate({ environments: [greeting()], agents: { writer, liar }, seeds: [1, 2], folder, ...more })

describe('given an agent that works and one that says so', () => {
  it('then the final state is scored and not the text, with intervals for each', async () => {
    const report = await evaluated()
    expect(report.items.map(({ agent, seed, score: worth }) => `${agent} ${seed}: ${worth}`)).toEqual([
      'writer 1: 1',
      'writer 2: 1',
      'liar 1: 0',
      'liar 2: 0',
    ])
    expect(report.byAgent).toMatchObject({
      writer: { items: 2, passed: 2, passRate: 1, meanScore: 1, passInterval: { high: 1 } },
      liar: { passed: 0 },
    })
    expect(report.byEnvironment['greeting']).toMatchObject({ items: 4, passRate: 0.5 })
    expect(report.byBoth['greeting']?.['liar']?.passInterval.high).toBeCloseTo(0.658, 3)
    expect(report).toMatchObject({ left: 0, total: { items: 4 } })
  })

  it('then each try had a new folder, of which nothing is left', async () => {
    const folders: string[] = []
    await evaluated({
      agents: {
        writer: (attempt) => {
          folders.push(attempt.folder)
          expect(readdirSync(attempt.folder)).toEqual(['seed.txt'])
          return writer(attempt)
        },
      },
    })
    expect(new Set(folders).size).toBe(2)
    expect(folders.filter((each) => existsSync(each))).toEqual([])
    expect(readdirSync(folder)).toEqual(['results'])
  })

  it('then the runs are kept where they are asked for', async () => {
    const store = memoryStore()
    const { items } = await evaluated({ store, agents: { writer } })
    const kept = (await store.list()).map(({ runId }) => runId)
    expect(items.map(({ runId }) => runId).toSorted()).toEqual(kept.toSorted())
  })
})

describe('given a score', () => {
  const scored = async (
    ask: NonNullable<EnvironmentOptions['score']>,
    more: Partial<EnvironmentOptions> = {},
  ) => {
    const { items } = await evaluated({
      environments: [greeting({ score: ask, ...more })],
      agents: { writer },
      seeds: [7],
    })
    const [only] = items
    if (only === undefined) throw new Error('no item')
    return only
  }

  it('then it is given the folder, the verdicts and the seed, and no word of the agent', async () => {
    const item = await scored((state) => {
      expect(Object.keys(state).toSorted()).toEqual(['folder', 'outcome', 'seed', 'verdicts'])
      expect(state.verdicts.map(({ verifier, status }) => `${verifier} ${status}`)).toContain(
        'greeting passed',
      )
      const made = readFileSync(join(state.folder, 'hello.txt'), 'utf8')
      return { score: made.length / 10, reason: `${made.length} letters` }
    })
    expect(item).toMatchObject({
      score: 0.5,
      passed: true,
      reason: '5 letters',
      outcome: 'verified',
      seed: 7,
    })
  })

  const notScores: readonly [string, () => number, string][] = [
    ['no number', () => Number.NaN, 'the score is NaN, which is no number from 0 to 1'],
    ['too high', () => 7, 'the score is 7'],
    ['thrown', () => fail('no database'), 'could not be found out: no database'],
  ]
  it.each(notScores)('then what is %s is 0, not passed, and says why', async (_, ask, reason) => {
    const item = await scored(ask, { checks: [] })
    expect(item).toMatchObject({ score: 0, passed: false })
    expect(item.reason).toContain(reason)
  })

  it('then a folder that is gone is 0', async () => {
    const { items } = await evaluated({
      environments: [greeting({ checks: [], score: () => 1 })],
      agents: {
        remover: ({ folder: tree }) =>
          scriptedAgent([() => (rmSync(tree, { recursive: true }), 'x')], changing),
      },
      seeds: [1],
    })
    expect(items).toMatchObject([{ score: 0, passed: false }])
    expect(items[0]?.reason).toContain('folder')
  })

  it('then without checks a try has passed from the score that was named', async () => {
    const passed = async (worth: number) =>
      (await scored(() => worth, { checks: [], passScore: 0.8, version: `${worth}` })).passed
    expect([await passed(0.8), await passed(0.79)]).toEqual([true, false])
  })

  it('then a folder can be scored without any agent', async () => {
    writeFileSync(join(folder, 'hello.txt'), '')
    expect(await score(greeting(), { folder })).toMatchObject({ score: 1, passed: true, outcome: 'verified' })
    expect(await score(greeting(), { folder: join(folder, 'none') })).toMatchObject({
      score: 0,
      outcome: null,
    })
  })
})

describe('given something that breaks before the run', () => {
  const broken = () => fail('broken')

  it.each([
    ['setup', { environments: [greeting({ setup: broken })] }],
    ['the agent', { agents: { broken } }],
    ['the run', { environments: [greeting({ loop: broken })] }],
  ] as const)(
    'then %s that failed is a score of 0 with its reason, and the others go on',
    async (step, more) => {
      const { items } = await evaluated(more)
      expect(items.length).toBeGreaterThan(1)
      for (const item of items)
        expect(item).toMatchObject({
          score: 0,
          passed: false,
          outcome: null,
          reason: `${step} failed: broken`,
        })
    },
  )
})

describe('given results of an earlier call', () => {
  const counting = (begun: number[]) => ({
    writer: (attempt: Attempt) => {
      begun.push(attempt.seed)
      return writer(attempt)
    },
  })

  it('then what was done is not done again, and only what is new is', async () => {
    const begun: number[] = []
    const told: string[] = []
    const onItem = ({ seed }: ItemResult, { done, of }: { done: number; of: number }) =>
      told.push(`${seed}: ${done}/${of}`)
    const first = await evaluated({ agents: counting(begun), seeds: [1, 2] })
    const second = await evaluated({ agents: counting(begun), seeds: [1, 2, 3], onItem })
    expect(begun.toSorted()).toEqual([1, 2, 3])
    expect(second.items.slice(0, 2)).toEqual(first.items)
    expect(told).toEqual(['1: 1/3', '2: 2/3', '3: 3/3'])
  })

  it.each([
    ['another task', greeting({ task: 'Another.' })],
    ['another version', greeting({ version: '2' })],
  ])('then %s is done anew', async (_, environment) => {
    const begun: number[] = []
    await evaluated({ agents: counting(begun), seeds: [1] })
    await evaluated({ agents: counting(begun), seeds: [1], environments: [environment] })
    expect(begun).toEqual([1, 1])
  })

  it('then what was broken off counts as not done', async () => {
    const abort = new AbortController()
    const agents = { stopper: () => scriptedAgent([() => (abort.abort('enough'), 'x')], changing) }
    const { items, left } = await evaluated({ agents, signal: abort.signal, parallel: 1 })
    expect({ items, left }).toEqual({ items: [], left: 2 })
    expect(readdirSync(join(folder, 'results'))).toEqual([])
  })
})

describe('given misuse', () => {
  it.each([
    ['environments is empty', { environments: [] }],
    ['agents is empty', { agents: {} }],
    ['seeds is empty', { seeds: [] }],
    ['"greeting" stands there twice', { environments: [greeting(), greeting()] }],
    ['"1" stands there twice', { seeds: [1, 1] }],
    ['seeds must be whole numbers, not 0.5', { seeds: [0.5] }],
    ['parallel must be a whole number from 1, not 0', { parallel: 0 }],
  ] as const)('then %s', async (words, more) => {
    await expect(evaluated(more)).rejects.toThrow(new RegExp(words))
    await expect(evaluated(more)).rejects.toThrow(UsageError)
  })

  it.each([
    ['neither checks nor a score', { checks: [] }],
    ['passScore must be from 0 to 1', { passScore: 2 }],
    ['task is empty', { task: '' }],
  ])('then an environment with %s is none', (words, more) => {
    expect(() => greeting(more)).toThrow(words)
  })

  it('then options that the loop refuses are thrown, and what was done is kept', async () => {
    const loop = () => ({ hardCap: { iterations: -1 } })
    await expect(evaluated({ environments: [greeting({ loop })] })).rejects.toThrow(UsageError)
    expect(readdirSync(folder)).toEqual(['results'])
  })

  it('then a folder in a git repository is refused', async () => {
    mkdirSync(join(folder, '.git'))
    await expect(evaluated({ folder: join(folder, 'inside') })).rejects.toThrow(/lies in the git repository/)
  })

  it('then two at a time in one folder are one too many', async () => {
    const other = Promise.withResolvers<unknown>()
    const agents = {
      writer: async (attempt: Attempt) => {
        other.resolve(await evaluated().catch((error: unknown) => error))
        return writer(attempt)
      },
    }
    await evaluated({ agents, seeds: [1] })
    expect(await other.promise).toBeInstanceOf(RunHeldError)
  })
})
