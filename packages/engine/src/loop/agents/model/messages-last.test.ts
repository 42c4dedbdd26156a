/** Checks the requests of many turns in a window that holds only a few. */
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { verifierOf } from '../../../checks/verify/index.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { createAgentLoop } from '../../compose/index.ts'
import { modelAgent } from './model-agent.ts'

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}
const lesson = { id: 'm1', text: 'check "npm test" failed: the port is 8125' }

/** Replies at length in each turn; `during` acts while a turn is in flight. */
async function runTurns(turns: number, during: Readonly<Record<number, string>>) {
  const requests: string[] = []
  const store = memoryStore()
  const model = new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'gpt-5',
    doStream: async ({ prompt }) => {
      requests.push(JSON.stringify(prompt))
      const said = during[requests.length]
      const [run] = await store.list()
      if (said !== undefined && run !== undefined)
        await loop.goal.change(run.runId, { kind: 'message-given', text: said }, { by: 'Mia' })
      return {
        stream: simulateReadableStream({
          chunks: [
            { type: 'text-start', id: 't' },
            { type: 'text-delta', id: 't', delta: `turn ${requests.length} ${'x'.repeat(3000)}` },
            { type: 'text-end', id: 't' },
            { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
          ],
        }),
      }
    },
  })
  const loop = createAgentLoop({
    agent: await modelAgent({ model, contextWindowTokens: 6000, maxOutputTokens: 1000 }),
    hardVerifiers: [verifierOf('never', () => ({ passed: false, reason: 'it is red' }), { reads: 'answer' })],
    hardCap: { iterations: turns, tokens: null },
    softVerifiers: { loopDetection: false, stagnation: false },
    finalSummary: false,
    store,
    memory: { recall: () => Promise.resolve([lesson]) },
  })
  await loop.run('Write the report of the voucher shop.')
  return requests
}

const count = (text: string, part: string) => text.split(part).length - 1

describe('given a run of eight turns in a window that holds three', () => {
  it('every later request has the words of the user, the goal and the memory, each once and in order', async () => {
    const requests = await runTurns(8, { 2: 'Use tabs, never spaces.', 4: 'Mind the port 9000.' })
    expect(requests).toHaveLength(8)
    expect(requests.at(-1)).toMatch(/earlier turns were left out/)
    requests.forEach((request, index) => {
      expect(count(request, 'voucher shop')).toBe(1)
      expect(count(request, 'the port is 8125')).toBe(1)
      expect(count(request, 'Use tabs, never spaces.')).toBe(index < 2 ? 0 : 1)
      expect(count(request, 'Mind the port 9000.')).toBe(index < 4 ? 0 : 1)
    })
    expect(requests.at(-1)).toMatch(/voucher shop[^]*8125[^]*Use tabs[^]*port 9000[^]*turn 7/)
  })
})
