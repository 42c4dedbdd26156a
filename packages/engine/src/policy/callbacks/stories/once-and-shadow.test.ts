import { describe, expect, it } from 'vitest'
import { call, gate, gates } from '../fixtures/occasions.ts'

describe('given a hook for the first occasion of each run', () => {
  it('it is run once in every run', async () => {
    const hooks = gates(gate('greet', () => ({ decision: 'prompt' }), { once: true }))
    const runs = ['run-1', 'run-1', 'run-2', 'run-1', 'run-2']
    const decided: unknown[] = []
    for (const runId of runs)
      decided.push((await hooks.fire('before_tool_call', call({}, { runId }))).merged.decision)
    expect(decided).toEqual(['prompt', undefined, 'prompt', undefined, undefined])
  })

  it('an occasion that it is not for, or is skipped at, does not count', async () => {
    let forbids = true
    const hooks = gates(
      gate('grim', () => (forbids ? { decision: 'forbidden' } : {})),
      gate('greet', () => ({ decision: 'prompt' }), { match: 'run_shell', once: true }),
    )
    await hooks.fire('before_tool_call', call())
    forbids = false
    await hooks.fire('before_tool_call', call({}, { tool: 'read_file' }))
    expect((await hooks.fire('before_tool_call', call())).merged.decision).toBe('prompt')
  })

  it('a failure does not count, so that a gate is not opened by breaking it', async () => {
    let runs = 0
    const hooks = gates(
      gate(
        'gate',
        () => {
          runs += 1
          throw new Error('down')
        },
        { once: true },
      ),
    )
    for (const tool of ['read_file', 'run_shell']) {
      const { merged } = await hooks.fire('before_tool_call', call({}, { tool }))
      expect(merged.decision).toBe('forbidden')
    }
    expect(runs).toBe(2)
  })
})

describe('given a hook that is only watched', () => {
  it('it is run, and what it would have done is noted and not done', async () => {
    const hooks = gates(
      gate('new policy', () => ({ decision: 'forbidden', reason: 'not on Fridays', args: {} }), {
        mode: 'shadow',
      }),
      gate('old policy', () => ({ decision: 'allow' })),
    )
    const { merged, ran } = await hooks.fire('before_tool_call', call())
    expect(merged).toEqual({ decision: 'allow', reason: 'hook old policy: no reason given' })
    expect(ran[0]).toMatchObject({
      effect: 'none',
      note: 'only watched: denied: not on Fridays; arguments changed: command',
    })
  })

  it('its failure refuses nothing, and is told', async () => {
    const down = () => {
      throw new Error('down')
    }
    const hooks = gates(gate('new policy', down, { mode: 'shadow' }))
    const { merged, refusal, ran } = await hooks.fire('before_tool_call', call())
    expect([merged, refusal]).toEqual([{}, undefined])
    expect(ran).toMatchObject([{ effect: 'failed', note: 'down (it would have failed closed)' }])
  })
})
