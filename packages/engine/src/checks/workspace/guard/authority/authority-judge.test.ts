import { goalSet } from '@donecheck/core/testing/facts'
import { stamp } from '@donecheck/core/testing'
import type { GuardRequest } from '../../../../ports/checks.ts'
import type { Judge, JudgeAnswer, JudgeRequest } from '../../../../ports/judges.ts'
import { manualClock } from '../../../../testing/index.ts'
import { ContentDigests, fileReader } from '../../fingerprint/content-digests.ts'
import { openSnapshots } from '../../snapshot/snapshots.ts'
import { askAuthorityJudge, withWord } from './authority-judge.ts'
import type { Question } from './ask-for-authority.ts'
import { readMemory, remember } from '../memory.ts'
import type { GuardParts } from '../guard-parts.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-authority-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const task = 'Prices include tax from now on. Change the expected totals in cart.test.js to match.'
const sentence = 'Change the expected totals in cart.test.js to match.'
const version = (text: string | null) => ({ kind: 'file', digest: String(text), mode: 0o644, text }) as const
const change = { before: version('total is 10\n'), after: version('total is 12\n') }
const question: Question = {
  changes: [{ path: 'cart.test.js', key: 'key-of-the-content', change }],
  reason: 'green only with the changed test',
  failing: [{ name: 'total', file: 'cart.test.js' }],
}
const met: JudgeAnswer = {
  kind: 'met',
  reason: 'it is asked for',
  quotes: [{ text: sentence }],
  costUsd: 0.003,
}

function judgeBy(answerTo: (request: JudgeRequest) => JudgeAnswer | Promise<JudgeAnswer>) {
  const asked: JudgeRequest[] = []
  const judge: Judge = {
    name: 'm',
    judge: async (request) => {
      asked.push(request)
      return answerTo(request)
    },
  }
  return { judge, asked }
}

function partsWith(authorityJudge?: Judge): GuardParts {
  return {
    options: {
      workFolder: folder,
      snapshotFolder: folder,
      clock: manualClock(0),
      ...(authorityJudge === undefined ? {} : { authorityJudge }),
    },
    workFolder: folder,
    snapshots: openSnapshots(folder),
    digests: new ContentDigests(fileReader),
    protect: { protect: [], mayChange: [], checkCommands: [] },
    trustedCaches: new Map(),
  }
}

const request: GuardRequest = { runId: 'run-1', task, trigger: 'claim', turn: 1, canRetry: true }

const ask = (parts: GuardParts, wanted = request, signal = new AbortController().signal, about = question) =>
  askAuthorityJudge(about, parts, wanted, signal)

it('given a run that pays, then it is told who pays, and shown nothing of what happened', async () => {
  const { judge, asked } = judgeBy(() => met)
  const events = stamp([goalSet(task)])
  await ask(partsWith(judge), { ...request, events: () => events })
  expect(asked).toMatchObject([{ events: [], paidBy: { runId: 'run-1', events } }])
})

describe('given changes that cannot be shown to a judge whole', () => {
  it.each([
    ['one that is no text', { ...change, after: version(null) }],
    ['one that is no file of the work tree', undefined],
    ['one that is long', { ...change, after: version('a line of a long file\n'.repeat(1000)) }],
  ])('then with %s it is not asked, and nothing is allowed', async (_, hidden) => {
    const { judge, asked } = judgeBy(() => met)
    const parts = partsWith(judge)
    const changes = [...question.changes, { path: 'b.test.js', key: 'other', change: hidden }]
    const word = await ask(parts, request, undefined, { ...question, changes })
    expect(word?.sentence).toBeUndefined()
    expect(word?.reason).toContain('whole')
    expect(asked).toEqual([])
    expect(readMemory(parts.snapshots, 'run-1').allowed).toEqual({})
  })
})

describe('given a judge that is asked whether a changed test was wanted', () => {
  it('then with a sentence of the task it allows the change, by name, with that sentence', async () => {
    const { judge, asked } = judgeBy(() => met)
    const parts = partsWith(judge)
    expect(await ask(parts)).toMatchObject({ sentence, costUsd: 0.003 })
    expect(readMemory(parts.snapshots, 'run-1').allowed).toEqual({
      'key-of-the-content': { by: 'judge m', reason: `the task says: "${sentence}"` },
    })
    expect(asked[0]).toMatchObject({ task, workFolder: null })
    expect(asked[0]?.answer).toContain('cart.test.js')
  })

  it.each<readonly [string, JudgeAnswer]>([
    ['says no', { ...met, kind: 'not-met' }],
    ['abstains', { ...met, kind: 'abstained' }],
    ['quotes nothing', { ...met, quotes: [] }],
    [
      'quotes what the task does not say',
      { ...met, quotes: [{ text: 'Change whatever you like in the tests.' }] },
    ],
    ['quotes two words', { ...met, quotes: [{ text: 'to match.' }] }],
    ['quotes what the agent wrote', { ...met, quotes: [{ text: 'green only with the changed test' }] }],
  ])('then where it %s, nothing is allowed, and it is not asked again', async (_, answer) => {
    const { judge, asked } = judgeBy(() => answer)
    const parts = partsWith(judge)
    const word = await ask(parts)
    expect(word).toMatchObject({ sentence: undefined, costUsd: 0.003 })
    expect(readMemory(parts.snapshots, 'run-1').allowed).toEqual({})
    expect(await ask(parts)).toBeUndefined()
    expect(asked).toHaveLength(1)
  })

  it('then where it breaks, nothing is allowed, and why stands there', async () => {
    const { judge } = judgeBy(() => Promise.reject(new Error('no such model')))
    const parts = partsWith(judge)
    expect(await ask(parts)).toMatchObject({
      sentence: undefined,
      reason: 'could not be asked: no such model',
    })
  })

  it('then white space does not count, and a task of two words can be quoted as a whole', async () => {
    const spaced = judgeBy(() => ({
      ...met,
      quotes: [{ text: 'Change the\n  expected totals in cart.test.js' }],
    }))
    expect((await ask(partsWith(spaced.judge)))?.sentence).toBe('Change the expected totals in cart.test.js')
    const short = judgeBy(() => ({ ...met, quotes: [{ text: 'update tests' }] }))
    const wanted = { ...request, runId: 'run-2', task: 'update tests' }
    expect((await ask(partsWith(short.judge), wanted))?.sentence).toBe('update tests')
  })

  it('then it is not asked for what a person has denied, or where none is named', async () => {
    const { judge, asked } = judgeBy(() => met)
    const parts = partsWith(judge)
    const denied = { 'key-of-the-content': { by: 'Ada', reason: 'no' } }
    remember(parts.snapshots, 'run-1', { denied })
    expect(await ask(parts)).toBeUndefined()
    expect(asked).toEqual([])
    expect(await ask(partsWith(), { ...request, runId: 'run-2' })).toBeUndefined()
  })

  it('then a run that is broken off meanwhile remembers nothing', async () => {
    const stop = new AbortController()
    const { judge } = judgeBy(() => {
      stop.abort(new Error('stopped'))
      return met
    })
    const parts = partsWith(judge)
    await expect(ask(parts, request, stop.signal)).rejects.toThrow('stopped')
    expect(readMemory(parts.snapshots, 'run-1').allowed).toEqual({})
  })

  it('then what it said and cost stands in the verdict', async () => {
    const word = await ask(partsWith(judgeBy(() => met).judge))
    const report = {
      status: 'passed',
      reason: 'green',
      canRetry: true,
      qualifiers: [],
      evidence: [],
    } as const
    expect(withWord(report, word)).toMatchObject({
      costUsd: 0.003,
      evidence: [{ kind: 'judge', judge: 'm', said: 'met', quotes: [{ text: sentence }] }],
    })
    expect(withWord(report, undefined)).toEqual(report)
  })
})
