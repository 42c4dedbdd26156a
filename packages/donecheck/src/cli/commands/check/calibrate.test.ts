import cases from './judge-cases.json' with { type: 'json' }
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleRun } from '@donecheck/core/testing'
import { UsageError } from '@donecheck/engine/internal/base'
import { parseCases } from '@donecheck/engine/internal/checks/calibration'
import { rubricOf } from '@donecheck/engine/judge'
import type { Judge, JudgeRequest } from '@donecheck/engine/internal/ports/judges'
import { openSqliteStore } from '@donecheck/engine/store'
import { parseConfig } from '../../../config/index.ts'
import { perform } from '../../process/fixtures/performed.ts'
import type { CliIo } from '../../process/io.ts'
import { judgeChecks } from '../../wiring/judging/judge.ts'
import { judgedCheck, judgeOf, trustIn } from '../../wiring/judging/judges.ts'
import { calibrateCommand, labelCommand } from './calibrate.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-calibrate-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const ran = (command: (io: CliIo) => Promise<number>) => perform(command, folder)

const starter = parseCases(cases.map((one) => JSON.stringify(one)).join('\n'), 'starter')
const labelOf = new Map(starter.map(({ answer, label }) => [answer, label]))

/** @param isRight whether the judge agrees with the label */
function scripted(isRight: (index: number) => boolean): Judge {
  let asked = 0
  return {
    name: 'scripted',
    identity: 'c'.repeat(64),
    judge: ({ answer, events }: JudgeRequest) => {
      const isMet = isRight(asked++) === (labelOf.get(answer) === 'pass')
      const quotes = events.flatMap(({ id, ...event }) =>
        event.type === 'tool-returned' ? [{ text: event.output, source: id }] : [],
      )
      return Promise.resolve({
        kind: isMet ? 'met' : 'not-met',
        reason: 'as scripted',
        quotes: quotes.filter(({ text }) => text !== ''),
        costUsd: 0.002,
      })
    },
  }
}
const good = scripted((index) => index % 10 !== 0)
const guessing = scripted((index) => index % 2 === 0)

const calibrated = (judge: Judge, flags: object = {}) =>
  ran((io) => calibrateCommand({ store: 'store', ...flags }, io, () => judge))

describe('given a judge that is right nine times of ten', () => {
  it('then its measure is told, and it may decide from now on', async () => {
    const { exitCode, out } = await calibrated(good)
    expect(out).toContain('scripted, measured on 120 labels')
    expect(out).toContain('agreement  90 % (108 of 120), 95 % confidence: 83.3 % to 94.2 %')
    expect(out).toMatch(/kappa {6}0\.\d\d/)
    expect(out).toContain('$0.0020')
    expect(out).toMatch(/refusal +16/)
    expect(out).toContain('Where they disagree:')
    expect(out).toContain('It may decide')
    expect(exitCode).toBe(0)
  })

  it('then that holds for the rubric that it was measured with alone', async () => {
    await calibrated(good)
    const store = { folder: join(folder, 'store') }
    expect(trustIn(store, good, rubricOf('goal'))).toEqual({ kind: 'calibrated' })
    expect(trustIn(store, good, rubricOf('clarity'))).toMatchObject({ kind: 'uncalibrated' })
    expect(trustIn(store, { ...good, identity: 'd' }, rubricOf('goal'))).toMatchObject({
      kind: 'uncalibrated',
    })
    expect(trustIn({ folder: null }, good, rubricOf('goal'))).toMatchObject({ kind: 'uncalibrated' })
  })
})

describe('given a judge that guesses', () => {
  it('then it may only advise, and the exit code says so', async () => {
    const { exitCode, out } = await calibrated(guessing)
    expect(out).toContain('It may advise, not decide: it agrees with 50 % of 120 labels')
    expect(exitCode).toBe(4)
  })
})

describe('given labels of one’s own', () => {
  it('then they alone are put to the judge, and too few do not make it decide', async () => {
    writeFileSync(
      join(folder, 'mine.jsonl'),
      starter
        .slice(0, 10)
        .map((one) => JSON.stringify(one))
        .join('\n'),
    )
    const { exitCode, out } = await calibrated(good, { labels: ['mine.jsonl'], json: true })
    expect(JSON.parse(out)).toMatchObject({ labels: 10, trust: { kind: 'uncalibrated' } })
    expect(exitCode).toBe(4)
  })

  it('then a run that is labelled is one case more', async () => {
    const store = openSqliteStore({ folder: join(folder, 'store') })
    const events = sampleRun()
    const [first] = events
    if (first === undefined) throw new TypeError('a run has events')
    await store.takeIn(events)
    await store.close()
    const { out } = await ran((io) =>
      labelCommand(first.runId, 'fail', 'incomplete', { store: 'store', why: 'half of it' }, io),
    )
    expect(out).toContain(`${first.runId} is labelled fail (incomplete); 1 in `)
    const kept = parseCases(readFileSync(join(folder, 'store', 'labels.jsonl'), 'utf8'), 'kept')
    expect(kept).toMatchObject([
      { id: first.runId, label: 'fail', category: 'incomplete', why: 'half of it' },
    ])
    expect(kept[0]?.happened).not.toEqual([])
    expect((await calibrated(good)).out).toContain('measured on 121 labels')
  })

  it.each([
    ['good', undefined],
    ['pass', 'incomplete'],
  ])('then the label %s %s is refused', async (label, category) => {
    const labelled = ran((io) => labelCommand('last', label, category, { store: 'store' }, io))
    await expect(labelled).rejects.toThrow(UsageError)
  })
})

describe('given a judge that is to decide', () => {
  const decided = (
    judge: Judge,
    told: object = {},
    trusted: readonly string[] = [],
    within?: { readonly name: string | undefined },
  ) =>
    judgedCheck({
      spec: { rubric: 'goal', ...told },
      options: {},
      within,
      judge,
      store: { folder: join(folder, 'store') },
      trusted,
    })

  it('then one that was never measured is refused, with every way out', () => {
    const told = { required: true }
    expect(() => decided(good, told)).toThrow(UsageError)
    for (const way of [
      'was never measured',
      'calibrate --judge scripted --rubric goal',
      '"required": false',
      '--trust-check "scripted: goal"',
    ])
      expect(() => decided(good, told)).toThrow(way)
  })

  it.each([
    ['it only advises', { required: false }, []],
    ['nobody has said that it decides', {}, []],
    ['somebody believes it by name', {}, ['scripted: goal']],
  ])('then where %s, every verdict says that it was not measured', async (_, told, trusted) => {
    const verifier = decided(good, told, trusted)
    expect(verifier.description.required).toBe(trusted.length > 0)
    const report = await verdictOf(verifier)
    expect(report.qualifiers).toContain('uncalibrated')
  })

  it('then as a part of another check it is believed by the name of that', async () => {
    expect(() => decided(good, {}, ['scripted: goal'], { name: 'report' })).toThrow('--trust-check "report"')
    expect(() => decided(good, {}, [], { name: undefined })).toThrow('give the whole check a name')
    const report = await verdictOf(decided(good, {}, ['report'], { name: 'report' }))
    expect(report.qualifiers).toContain('uncalibrated')
  })

  it('then once it was measured, it decides without a word about it', async () => {
    await calibrated(good)
    expect(decided(good).description.required).toBe(true)
    expect((await verdictOf(decided(good))).qualifiers).not.toContain('uncalibrated')
  })
})

describe('given --judge', () => {
  it('then once it was measured with this rubric, its word decides, and before it advises', async () => {
    const environment = { OPENAI_API_KEY: 'k' }
    const config = parseConfig({ judge: 'openai/gpt-5' }, 'test')
    const store = { folder: join(folder, 'store') }
    const chosen = async () => {
      const [check] = await judgeChecks({
        config,
        workFolder: folder,
        store,
        io: { environment },
        reads: 'answer',
      })
      return check?.description.required
    }
    expect(await chosen()).toBe(false)
    const { identity = '' } = judgeOf(config, { models: ['openai/gpt-5'] }, folder, { environment })
    await calibrated({ ...good, identity })
    expect(await chosen()).toBe(true)
  })
})

async function verdictOf(verifier: ReturnType<typeof judgedCheck>) {
  return verifier.verify(
    {
      runId: 'run-1',
      workFolder: null,
      task: 'write',
      finalText: 'a text',
      trigger: 'claim',
      turn: 1,
      fingerprint: undefined,
      baseline: undefined,
    },
    new AbortController().signal,
  )
}
