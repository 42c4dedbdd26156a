import { describe, expect, it } from 'vitest'
import { createAgentLoop, type AgentLoopOptions } from '../compose.ts'
import { scriptedAgent } from '../../agents/index.ts'
import { UsageError } from '../../../base/index.ts'
import type { TopUp } from '../options/hard-cap.ts'
import { memoryStore } from '../../../system/store/index.ts'

const working = { text: 'still at it', finish: 'length' } as const

async function exhausted(hardCap: AgentLoopOptions['hardCap'], options: Partial<AgentLoopOptions> = {}) {
  const store = memoryStore()
  const agent = scriptedAgent([working], { repeatLast: true })
  const loop = createAgentLoop({ agent, store, hardCap: hardCap ?? {}, ...options })
  const { runId, transition, usage } = await loop.run('do it')
  return { loop, store, runId, transition, usage }
}

describe('given a run that ended at its cap on turns', () => {
  it('records who gave what, and warns again before the new bound', async () => {
    const { loop, runId, store } = await exhausted({ iterations: 5 })
    await loop.resume(runId, { topUp: { iterations: 5 }, by: 'an operator' })
    const events = await store.read(runId)
    expect(events.filter(({ type }) => type === 'budget-added')).toMatchObject([
      { by: 'an operator', added: { iterations: 5 } },
    ])
    const warnings = events.flatMap((event) =>
      event.type === 'finding-noted' && event.finding.level === 'warn' ? [event.finding.numbers] : [],
    )
    expect(warnings).toEqual([
      { used: 4, limit: 5 },
      { used: 8, limit: 10 },
    ])
  })

  it.each<[string, TopUp | undefined, RegExp]>([
    ['nothing', undefined, /needs more of it to go on: --top-up turns=/],
    ['more of something else', { tokens: 50_000 }, /ended at its cap on turns .* --top-up turns=/],
  ])('does not go on with %s', async (_, topUp, message) => {
    const { loop, runId, store } = await exhausted({ iterations: 3 })
    const before = await store.read(runId)
    const resumed = topUp === undefined ? loop.resume(runId) : loop.resume(runId, { topUp })
    await expect(Promise.resolve(resumed)).rejects.toThrow(message)
    expect(await store.read(runId)).toEqual(before)
  })
})

describe('given any run', () => {
  it('refuses more of what it has no cap on', async () => {
    const { loop, runId } = await exhausted({ iterations: 3 })
    const ask = (topUp: TopUp) => Promise.resolve(loop.resume(runId, { topUp }))
    await expect(ask({ iterations: 1, toolCalls: 1 })).rejects.toThrow(/no cap on tool-calls: leave it out/)
    await expect(ask({ iterations: 1, callsPerTool: { x: 1 } })).rejects.toThrow(/no cap on calls of x/)
  })

  it.each<TopUp>([
    { iterations: 0 },
    { iterations: 1.5 },
    { tokens: -1 },
    { callsPerTool: { x: 0 } },
    { costUsd: Number.NaN },
  ])('refuses %o', async (topUp) => {
    const { loop, runId } = await exhausted({ iterations: 3 })
    expect(() => loop.resume(runId, { topUp })).toThrow(UsageError)
  })
})
