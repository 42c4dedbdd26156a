import { it as property, fc } from '@fast-check/vitest'
import { describe, expect, it, afterEach, beforeEach } from 'vitest'
import { UsageError } from '../../base/index.ts'
import {
  cohenKappa,
  type RatedPair,
  calibrationKey,
  trustOf,
  measureJudge,
  keepCalibration,
  keepLabel,
  keptLabels,
  readCalibration,
} from './calibration.ts'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Judge, JudgeAnswer, JudgeRequest } from '../../ports/judges.ts'
import { manualClock } from '../../testing/index.ts'
import { parseCases, type LabelledCase } from './labelled-cases.ts'

const word = fc.constantFrom('pass', 'fail', 'undecided')
const pairs: fc.Arbitrary<readonly RatedPair[]> = fc.array(fc.tuple(word, word), {
  minLength: 1,
  maxLength: 60,
})

/** So many pairs of each kind. */
function table(bothYes: number, onlyOne: number, onlyOther: number, bothNo: number): readonly RatedPair[] {
  const some = (count: number, pair: RatedPair) => Array.from({ length: count }, () => pair)
  return [
    ...some(bothYes, ['yes', 'yes']),
    ...some(onlyOne, ['yes', 'no']),
    ...some(onlyOther, ['no', 'yes']),
    ...some(bothNo, ['no', 'no']),
  ]
}

describe('given what two raters say', () => {
  it.each([
    ['full agreement', table(5, 0, 0, 5), 1],
    ['full disagreement', table(0, 5, 5, 0), -1],
    ['chance', table(4, 4, 4, 4), 0],
    ['the textbook', table(20, 5, 10, 15), 0.4],
    ['one who always says the same', table(8, 0, 2, 0), 0],
  ])('of %s it is %f', (_, rated, kappa) => {
    expect(cohenKappa(rated)).toBeCloseTo(kappa, 9)
  })

  it.each([[[]], [table(9, 0, 0, 0)]])('there is none where nothing could differ', (rated) => {
    expect(cohenKappa(rated)).toBeNull()
  })

  property.prop([pairs])('it is at most 1, and 1 only where they always agree', (rated) => {
    const kappa = cohenKappa(rated)
    if (kappa === null) return
    expect(kappa).toBeLessThanOrEqual(1)
    expect(Math.abs(1 - kappa) < 1e-12).toBe(rated.every(([one, other]) => one === other))
  })

  property.prop([pairs])('neither the order of raters and cases nor the words matter', (rated) => {
    const kappa = cohenKappa(rated) ?? 2
    const turned = rated.toReversed().map(([one, other]): RatedPair => [`${other}!`, `${one}!`])
    expect(cohenKappa(turned) ?? 2).toBeCloseTo(kappa, 9)
  })
})

const starterFile = new URL('../../../../donecheck/src/cli/commands/check/judge-cases.json', import.meta.url)
const starter = parseCases(
  z
    .array(z.json())
    .parse(JSON.parse(readFileSync(starterFile, 'utf8')))
    .map((one) => JSON.stringify(one))
    .join('\n'),
  'judge-cases.json',
)
const caseFor = new Map(starter.map((one) => [one.answer, one]))

const met: JudgeAnswer = { kind: 'met', reason: 'as wanted', quotes: [], costUsd: 0.01 }
const notMet: JudgeAnswer = { ...met, kind: 'not-met', reason: 'not as wanted' }

function judgeBy(answerTo: (request: JudgeRequest, index: number) => JudgeAnswer): Judge {
  let asked = 0
  return {
    name: 'scripted',
    identity: 'a'.repeat(64),
    async judge(request) {
      const answer = answerTo(request, asked++)
      return { ...answer, quotes: answer.quotes.length > 0 ? answer.quotes : quotesOf(request) }
    },
  }
}

/** Whatever the record shows. */
function quotesOf({ events }: JudgeRequest): JudgeAnswer['quotes'] {
  return events.flatMap(({ id, ...event }) =>
    event.type === 'tool-returned' && event.output !== '' ? [{ text: event.output, source: id }] : [],
  )
}

/** Knows the labels. */
const oracle = judgeBy(({ answer }) => {
  const { label = 'fail', category } = caseFor.get(answer) ?? {}
  return label === 'pass' ? met : { ...notMet, ...(category === undefined ? {} : { category }) }
})

const measure = (judge: Judge, cases: readonly LabelledCase[] = starter) =>
  measureJudge(judge, cases, {
    rubric: 'the task is done',
    clock: manualClock(),
    signal: new AbortController().signal,
  })

it('given a cap on what judges spend, then all cases are of one run, and it holds for all of them together', async () => {
  const runs = new Set<string | undefined>()
  let left = 3
  const counting = judgeBy(({ events, answer }) => {
    runs.add(events[0]?.runId)
    if (left === 0) return { ...met, kind: 'abstained', unavailable: true, reason: 'used up', costUsd: 0 }
    left -= 1
    return caseFor.get(answer)?.label === 'pass' ? met : notMet
  })
  const calibration = await measure(counting, starter.slice(0, 9))
  expect(runs).toEqual(new Set(['calibration']))
  expect(calibration).toMatchObject({ labels: 3, broken: 6 })
  expect(trustOf(calibration).kind).toBe('uncalibrated')
})

describe('given the cases that come with the command', () => {
  it('then there are 120, of every category, each with its reason and what happened or no call at all', () => {
    expect(starter).toHaveLength(120)
    const byCategory = Object.groupBy(starter, ({ category, label }) => category ?? label)
    const sizes = Object.entries(byCategory).map(([name, cases = []]) => [name, cases.length])
    expect(Object.fromEntries(sizes)).toEqual({
      pass: 40,
      goal_missed: 16,
      incomplete: 16,
      rule_violation: 16,
      tone_mismatch: 16,
      refusal: 16,
    })
    expect(starter.filter(({ why }) => why.trim() === '')).toEqual([])
    expect(caseFor.size).toBe(starter.length)
  })
})

describe('given a judge that is measured', () => {
  it('then one that knows the labels agrees with all of them, and may decide', async () => {
    const calibration = await measure(oracle)
    expect(calibration).toMatchObject({ labels: 120, agreed: 120, undecided: 0, broken: 0, kappa: 1 })
    expect(calibration.agreement).toMatchObject({ share: 1, high: 1 })
    expect(calibration.costUsdPerVerdict).toBeCloseTo(0.01, 9)
    expect(calibration.disagreements).toEqual([])
    expect(calibration.categories).toContainEqual({ category: 'refusal', cases: 16, agreed: 16, named: 16 })
    expect(trustOf(calibration)).toEqual({ kind: 'calibrated' })
  })

  it('then it is shown the task, the rules in its rubric, and what happened', async () => {
    const seen: JudgeRequest[] = []
    const watching = judgeBy((request) => {
      seen.push(request)
      return met
    })
    const [one] = starter
    if (one === undefined) throw new TypeError('there are cases')
    await measure(watching, [one])
    expect(seen[0]).toMatchObject({ task: one.task, answer: one.answer })
    expect(seen[0]?.rubric).toContain('Tests may not be changed.')
    expect(JSON.stringify(seen[0]?.events)).toContain('14 passed')
  })

  it.each([
    ['always says fail', () => notMet],
    ['always says pass', () => met],
    ['always abstains', () => ({ ...met, kind: 'abstained' as const })],
    ['quotes what stands nowhere', () => ({ ...met, quotes: [{ text: 'nowhere at all' }] })],
    ['says pass and fail by turns', (_: JudgeRequest, index: number) => (index % 2 === 0 ? met : notMet)],
  ])('then one that %s may not decide', async (_, answer) => {
    expect(trustOf(await measure(judgeBy(answer)))).toMatchObject({ kind: 'uncalibrated' })
  })

  it('then an abstention is no agreement, and a judge that is down no label', async () => {
    const flaky = judgeBy((request, index) => {
      if (index > 0 && index <= 10) throw new Error('connection refused')
      if (index > 10 && index <= 20) return { ...met, kind: 'abstained', unavailable: true }
      return index > 20 && index <= 30 ? { ...met, kind: 'abstained' } : { ...met, kind: kindFor(request) }
    })
    expect(await measure(flaky)).toMatchObject({ labels: 100, broken: 20, undecided: 10, agreed: 90 })
  })

  it('then one that never answers is given up on, and why is said', async () => {
    let asked = 0
    const down = judgeBy(() => {
      asked += 1
      throw new Error('connection refused')
    })
    await expect(measure(down)).rejects.toThrow(
      'could not be asked about any case: Error: connection refused',
    )
    expect(asked).toBeLessThan(20)
    await expect(measure(down, starter.slice(0, 3))).rejects.toThrow(UsageError)
  })

  it('then the cases of disagreement are told, with what it said', async () => {
    const harsh = judgeBy(() => ({ ...notMet, category: 'incomplete' }))
    const { disagreements, categories } = await measure(harsh)
    expect(disagreements).toHaveLength(40)
    expect(disagreements[0]).toMatchObject({ label: 'pass', said: 'fail', saidCategory: 'incomplete' })
    expect(categories).toContainEqual({ category: 'incomplete', cases: 16, agreed: 16, named: 16 })
    expect(categories).toContainEqual({ category: 'refusal', cases: 16, agreed: 16, named: 0 })
  })

  it.each([
    ['fewer than 100 labels', 99, 99, 'uncalibrated'],
    ['less than 70 %', 120, 83, 'uncalibrated'],
    ['70 % of 120', 120, 84, 'calibrated'],
  ])('then with %s it is trusted so', async (_, cases, agreed, kind) => {
    const some = judgeBy((request, index) => (index < agreed === (kindFor(request) === 'met') ? met : notMet))
    expect(trustOf(await measure(some, starter.slice(0, cases)))).toMatchObject({ kind })
  })
})

function kindFor({ answer }: JudgeRequest): 'met' | 'not-met' {
  return caseFor.get(answer)?.label === 'pass' ? 'met' : 'not-met'
}

describe('given a folder that keeps what was measured', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'donecheck-calibration-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('then it is found again under model, prompt and rubric, and under no other', async () => {
    const calibration = await measure(oracle)
    keepCalibration(folder, calibration)
    const key = calibrationKey(oracle, '  the task is done\n') ?? ''
    expect(readCalibration(folder, key)).toEqual(calibration)
    for (const other of [
      calibrationKey(oracle, 'another rubric'),
      calibrationKey({ ...oracle, identity: 'b'.repeat(64) }, 'the task is done'),
    ])
      expect(readCalibration(folder, other ?? '')).toBeUndefined()
  })

  it('then a damaged measurement counts as none', async () => {
    const calibration = await measure(oracle)
    writeFileSync(keepCalibration(folder, calibration), '{"version":1')
    expect(trustOf(readCalibration(folder, calibration.key))).toEqual({
      kind: 'uncalibrated',
      reason: 'was never measured',
    })
  })

  it('then a run is labelled, and labelled anew', () => {
    const [one] = starter
    if (one === undefined) throw new TypeError('there are cases')
    expect(keptLabels(folder)).toEqual([])
    keepLabel(folder, one)
    keepLabel(folder, { ...one, label: 'fail', category: 'incomplete' })
    expect(keptLabels(folder)).toEqual([{ ...one, label: 'fail', category: 'incomplete' }])
  })
})

describe('given lines that are no cases', () => {
  it.each([
    ['not JSON', 'no JSON'],
    ['{"id":"x"}', 'task'],
    [JSON.stringify({ ...starter[0], label: 'maybe' }), 'label'],
    [JSON.stringify({ ...starter[0], category: 'refusal' }), 'a pass has no category'],
  ])('then %s is refused with its place', (line, message) => {
    expect(() => parseCases(`\n${line}\n`, 'mine.jsonl')).toThrow(UsageError)
    expect(() => parseCases(`\n${line}\n`, 'mine.jsonl')).toThrow(`mine.jsonl, line 2`)
    expect(() => parseCases(`\n${line}\n`, 'mine.jsonl')).toThrow(message)
  })
})
