import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goalSet } from '@donecheck/core/internal/testing/facts'
import { stamp } from '@donecheck/core/testing'
import { memoryStore } from '@donecheck/engine/store'
import { parseConfig } from '../../../config/index.ts'
import { accountOf, judgeOf, checkParts } from './judges.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'donecheck-judges-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const environment = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
const model = 'openai/gpt-5'
const judge = { models: [model], timeoutSeconds: 1, maxTokens: 20_000 }
const events = stamp([goalSet('t')])
const payer = { runId: 'run-1', events: [] }
const neverAborted = new AbortController().signal
const all = { judge, verifyReplies: true, maxJudgeCostUsd: 1 }

/** The reply of the run's judge. */
async function reasonOfJudge(config: ReturnType<typeof parseConfig>): Promise<string> {
  const request = { task: 't', rubric: 'r', answer: 'a', workFolder: null, events }
  return (await judgeOf(config, judge, folder, { environment }).judge(request, neverAborted)).reason
}

/** The reply of a judge check with its own model. */
async function reasonOfCheck(config: ReturnType<typeof parseConfig>): Promise<string> {
  const spec = { kind: 'judge', rubric: 'clarity', model } as const
  const surroundings = {
    workFolder: folder,
    store: memoryStore(),
    io: { environment, homeFolder: folder },
  }
  const { judged } = checkParts({ config, ...surroundings }, 1000)
  const context = { ...{ runId: 'run-1', workFolder: folder, task: 't', finalText: 'a' }, turn: 1 }
  const asked = { ...context, trigger: 'claim', fingerprint: undefined, baseline: undefined } as const
  return (await (await judged(spec, {}, undefined)).verify({ ...asked, events: () => events }, neverAborted))
    .reason
}

describe('given one configuration', () => {
  it('then money that one judge has spent is gone for all judges of that run', async () => {
    const config = parseConfig(all, 'here')
    accountOf(config).reserve(payer, { tokens: 0, costUsd: 1 })
    expect(await reasonOfJudge(config)).toMatch(/budget of \$1 is used up/)
    expect(await reasonOfCheck(config)).toMatch(/budget of \$1 is used up/)
  })

  it('then another run has money of its own', () => {
    const account = accountOf(parseConfig(all, 'here'))
    account.reserve(payer, { tokens: 0, costUsd: 1 })
    expect(typeof account.reserve({ runId: 'run-2', events: [] }, { tokens: 0, costUsd: 1 })).toBe('object')
  })

  it('then a check with a model of its own keeps to the tokens of all judges', async () => {
    const config = parseConfig({ ...all, judge: { ...judge, maxTokens: 10 } }, 'here')
    expect(await reasonOfCheck(config)).toMatch(/budget of 10 tokens is used up/)
  })

  it('then a call that the tokens do not allow costs no money', () => {
    const account = accountOf(parseConfig(all, 'here'))
    expect(account.reserve(payer, { tokens: 50_000, costUsd: 1 })).toMatch(/20000 tokens/)
    expect(typeof account.reserve(payer, { tokens: 0, costUsd: 1 })).toBe('object')
  })
})
