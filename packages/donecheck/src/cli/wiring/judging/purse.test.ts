import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goalSet } from '@donecheck/core/testing/facts'
import { stamp } from '@donecheck/core/testing'
import type { Judge } from '@donecheck/engine/ports/judges'
import { memoryStore } from '@donecheck/engine/store'
import { parseConfig } from '../../../config/index.ts'
import { checkParts } from '../checks/check-parts.ts'
import { judgeOf } from './judges.ts'
import { purseOf } from './purse.ts'
import { authorsOf } from '../loop/loop-options.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-purse-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const environment = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
const stderr = new PassThrough() as unknown as NodeJS.WriteStream
const model = 'openai/gpt-5'
const judge = { models: [model], timeoutSeconds: 1, maxTokens: 20_000 }
const payer = { runId: 'run-1', events: [] }
const neverAborted = new AbortController().signal
const all = { seal: model, judge, authorityJudge: model, verifyReplies: true, maxJudgeCostUsd: 1 }

const request = { task: 't', rubric: 'r', answer: 'a', workFolder: null, events: stamp([goalSet('t')]) }
const reasonOf = async (asked: Judge, paidBy = {}) =>
  (await asked.judge({ ...request, ...paidBy }, neverAborted)).reason

async function judgeWithModel(config: ReturnType<typeof parseConfig>): Promise<Judge> {
  const spec = { kind: 'judge', rubric: 'clarity', model } as const
  const surroundings = {
    workFolder: folder,
    store: memoryStore(),
    io: { environment, homeFolder: folder },
  }
  const { judged } = await checkParts(config, surroundings, 1000)
  const verifier = judged(spec, {}, undefined)
  return {
    name: 'through its check',
    async judge({ events }) {
      const context = { ...{ runId: 'run-1', workFolder: folder, task: 't', finalText: 'a' }, turn: 1 }
      const asked = { ...context, trigger: 'claim', fingerprint: undefined, baseline: undefined } as const
      const { reason } = await verifier.verify({ ...asked, events: () => events }, neverAborted)
      return { kind: 'abstained', reason, quotes: [], costUsd: null }
    },
  }
}

describe('given one configuration', () => {
  it('then what anybody has spent of the money is gone for everybody in that run', async () => {
    const config = parseConfig(all, 'here')
    purseOf(config).money.reserve(payer, { tokens: 0, costUsd: 1 })
    const gone = /budget of \$1 is used up/
    const [author] = await authorsOf(config, { environment, stderr })
    const tree = { paths: [], omittedPaths: 0, files: [], checks: [] }
    const proposed = await author?.propose({ runId: 'run-1', task: 't', tree }, neverAborted)
    expect(proposed !== undefined && 'problem' in proposed && proposed.problem).toMatch(gone)
    expect(await reasonOf(judgeOf(config, judge, folder, { environment }))).toMatch(gone)
    expect(
      await reasonOf(judgeOf(config, { models: [model] }, folder, { environment }), { paidBy: payer }),
    ).toMatch(gone)
    expect(await reasonOf(await judgeWithModel(config))).toMatch(gone)
  })

  it('then another run has money of its own', () => {
    const { money } = purseOf(parseConfig(all, 'here'))
    money.reserve(payer, { tokens: 0, costUsd: 1 })
    expect(typeof money.reserve({ runId: 'run-2', events: [] }, { tokens: 0, costUsd: 1 })).toBe('object')
  })

  it('then a check with a model of its own keeps to the tokens of all judges, and authors do not', async () => {
    const config = parseConfig({ ...all, judge: { ...judge, maxTokens: 10 } }, 'here')
    expect(await reasonOf(await judgeWithModel(config))).toMatch(/budget of 10 tokens is used up/)
    expect(typeof purseOf(config).money.reserve(payer, { tokens: 99, costUsd: 0 })).toBe('object')
  })

  it('then a call that the tokens do not allow costs no money', () => {
    const { judges, money } = purseOf(parseConfig(all, 'here'))
    expect(judges.reserve(payer, { tokens: 50_000, costUsd: 1 })).toMatch(/20000 tokens/)
    expect(typeof money.reserve(payer, { tokens: 0, costUsd: 1 })).toBe('object')
  })
})
