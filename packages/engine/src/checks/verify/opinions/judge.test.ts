import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunEvent } from '@donecheck/core/internal/events'
import { runStarted, stamp } from '@donecheck/core/testing'
import { UsageError } from '../../../base/index.ts'
import type { Judge, JudgeAnswer } from '../../../ports/judges.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { contextOf } from '../texts/fixtures/ask.ts'
import { judgedBy, type JudgedByOptions } from './judge.ts'

const met: JudgeAnswer = { kind: 'met', reason: 'it is all there', quotes: [], costUsd: null }
const notMet: JudgeAnswer = { ...met, kind: 'not-met', reason: 'no tests' }
const abstained: JudgeAnswer = { ...met, kind: 'abstained', reason: 'no access' }

function judge(answer: unknown): Judge {
  return { name: 'a judge', judge: async () => answer as JudgeAnswer }
}

const rubric = 'it is finished'

verifierContract('judgedBy', {
  passing: () => judgedBy(judge(met), { rubric }),
  failing: () => judgedBy(judge(notMet), { rubric }),
  makeUndecided: () => judgedBy(judge(abstained), { rubric }),
  hanging: (onStart) => {
    const asked = () => {
      onStart()
      return new Promise<never>(() => undefined)
    }
    return judgedBy({ name: 'slow', judge: asked }, { rubric })
  },
})

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-judge-'))
  await writeFile(join(folder, 'notes.md'), 'The parser\nis done.')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function ask(
  answer: unknown,
  options: Partial<JudgedByOptions> = {},
  by: Judge = judge(answer),
  events: readonly RunEvent[] = [],
) {
  const context = contextOf({
    workFolder: folder,
    task: 'write a parser',
    finalText: 'I wrote “a parser”\nand its tests.',
    events: () => events,
  })
  return judgedBy(by, { rubric, ...options }).verify(context, new AbortController().signal)
}

describe('given a judge that decides', () => {
  it('passes what is met, fails what is not, in its own words', async () => {
    expect(await ask(met)).toMatchObject({ status: 'passed', reason: 'a judge: met: it is all there' })
    expect(await ask(notMet)).toMatchObject({
      status: 'failed',
      reason: 'a judge: not met: no tests',
      canRetry: true,
    })
  })

  it.each([
    [0.8, undefined, 'passed'],
    [0.8, 0.8, 'passed'],
    [0.79, 0.8, 'failed'],
    [undefined, 0.8, 'error'],
    [undefined, undefined, 'passed'],
  ])('with score %s and minScore %s it is %s', async (score, minScore, status) => {
    const report = await ask({ ...met, score }, minScore === undefined ? {} : { minScore })
    expect(report.status).toBe(status)
  })

  it('fails what is not met, however high the score', async () => {
    expect(await ask({ ...notMet, score: 1 }, { minScore: 0.5 })).toMatchObject({ status: 'failed' })
  })

  it.each([met, notMet, abstained])('tells what it cost: %j', async (answer) => {
    expect(await ask({ ...answer, costUsd: 0.02 })).toMatchObject({ costUsd: 0.02 })
    expect(await ask(answer)).not.toHaveProperty('costUsd')
  })
})

describe('given a judge that does not decide', () => {
  it.each([
    undefined,
    null,
    'met',
    true,
    {},
    { ...met, kind: 'passed' },
    { ...met, score: 1.01 },
    { ...met, score: -0.1 },
    { ...met, score: Number.NaN },
    { ...met, score: Number.POSITIVE_INFINITY },
    { ...met, score: '1' },
    { ...met, quotes: undefined },
    { ...met, quotes: [{ text: ' ' }] },
    { ...met, reason: 7 },
    { ...met, costUsd: Number.NaN },
    { ...met, costUsd: -1 },
  ])('is an error for the nonsense %j', async (answer) => {
    expect(await ask(answer)).toMatchObject({ status: 'error' })
  })

  it('is an error where it throws or abstains', async () => {
    const broken: Judge = { name: 'broken', judge: () => Promise.reject(new Error('no quota')) }
    expect(await ask(met, {}, broken)).toMatchObject({ status: 'error', reason: 'broken threw: no quota' })
    expect(await ask(abstained)).toMatchObject({ status: 'error', reason: 'a judge cannot tell: no access' })
  })
})

describe('given quotes', () => {
  it('shows them when they stand in the answer, however it is broken into lines', async () => {
    const report = await ask({ ...met, quotes: [{ text: '“a parser” and its tests' }] })
    expect(report.status).toBe('passed')
    expect(report.evidence).toMatchObject([
      { kind: 'judge', judge: 'a judge', said: 'met', quotes: [{ text: '“a parser” and its tests' }] },
    ])
  })

  it.each([met, notMet])('is an error for one that stands nowhere, whatever was decided', async (answer) => {
    const report = await ask({ ...answer, quotes: [{ text: 'a parser' }, { text: 'all tests pass' }] })
    expect(report).toMatchObject({ status: 'error' })
    expect(report.reason).toBe('the judge quotes "all tests pass", which does not stand in the answer')
  })

  it('looks into the files that are named, and no others', async () => {
    const answer = { ...met, quotes: [{ text: 'The parser is done.' }] }
    expect(await ask(answer, { quotesFrom: ['notes.md'] })).toMatchObject({ status: 'passed' })
    expect(await ask(answer)).toMatchObject({ status: 'error' })
    expect(await ask(answer, { quotesFrom: ['missing.md'] })).toMatchObject({ status: 'error' })
  })
})

describe('given what is known of a judge', () => {
  const started = stamp([runStarted({ agent: { name: 'anthropic/claude-opus-4-5' } })])
  const kin: Judge = { name: 'kin', family: 'claude', judge: async () => met }

  it.each([
    ['claude', ['same-family']],
    ['gpt', []],
  ])('a judge of the family %s beside Claude is marked %j', async (family, qualifiers) => {
    const report = await ask(met, {}, { ...kin, family }, started)
    expect(report).toMatchObject({ status: 'passed', qualifiers })
  })

  it('marks a panel for each of its members, and tells which families judge', async () => {
    const panel: Judge = { name: 'panel', members: [{ ...kin, family: 'gpt' }, kin], judge: async () => met }
    expect((await ask(met, {}, panel, started)).qualifiers).toEqual(['same-family'])
    expect(judgedBy(panel, { rubric }).description.families).toEqual(['gpt', 'claude'])
  })

  it('marks one that was not measured, whatever it says', async () => {
    for (const answer of [met, notMet, abstained])
      expect((await ask(answer, { uncalibrated: true })).qualifiers).toEqual(['uncalibrated'])
  })

  it('tells one that could not be asked from one that cannot tell', async () => {
    expect(await ask({ ...abstained, unavailable: true })).toMatchObject({
      status: 'error',
      reason: 'a judge could not be asked: no access',
      qualifiers: ['infrastructure'],
    })
  })
})

describe('describing itself', () => {
  it('is not deterministic, and never remembered', () => {
    const verifier = judgedBy(judge(met), { rubric })
    expect(verifier.description).toMatchObject({ name: 'a judge', deterministic: false, reads: 'answer' })
    expect(verifier.inputs).toBeUndefined()
  })
})

describe('given misuse', () => {
  it.each<Partial<JudgedByOptions>>([
    { rubric: ' ' },
    { minScore: 0 },
    { minScore: 1.5 },
    { minScore: Number.NaN },
    { quotesFrom: ['../outside'] },
    { name: '' },
  ])('refuses %j', (options) => {
    expect(() => judgedBy(judge(met), { rubric, ...options })).toThrow(UsageError)
  })
})
