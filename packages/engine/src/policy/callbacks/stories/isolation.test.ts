import { describe, expect, it } from 'vitest'
import type { RunEvent } from '@donecheck/core/internal/events'
import { sampleTurns } from '@donecheck/core/testing'
import { call, gate, gates, occasion, verified } from '../fixtures/occasions.ts'
import { hookPipeline } from '../pipeline.ts'

const watcher = (seen: unknown[], name = 'watcher') => gate(name, ({ args }) => void seen.push(args))

describe('given a hook that changes what it was given', () => {
  it('neither the caller nor the next hook sees anything', async () => {
    const seen: unknown[] = []
    const args = { command: 'ls', list: [1] }
    const vandal = gate('vandal', (input) => void (input.args as { list: number[] }).list.push(2))
    const { ran } = await gates(vandal, watcher(seen)).fire('before_tool_call', call(args))
    expect(ran).toMatchObject([
      { hook: 'vandal', effect: 'none' },
      { hook: 'watcher', effect: 'none' },
    ])
    expect(args).toEqual({ command: 'ls', list: [1] })
    expect(seen).toEqual([args])
  })

  it('hooks do not share their copies, so that no one can leave a mark for another', async () => {
    const seen: unknown[] = []
    const args = { command: 'ls' }
    await gates(watcher(seen), watcher(seen, 'other')).fire('before_tool_call', call(args))
    expect(seen[0]).toEqual(seen[1])
    expect(seen[0]).not.toBe(seen[1])
    expect(seen).not.toContain(args)
  })
})

describe('given the history', () => {
  const events: RunEvent[] = sampleTurns(2).map((event) => structuredClone(event))

  it('tool hooks and verifier hooks see the same, and can change nothing of it', async () => {
    const seen: (readonly RunEvent[])[] = []
    const look = ({ history }: { history: () => readonly RunEvent[] }) => void seen.push(history())
    const hooks = hookPipeline({
      tools: [{ name: 'tool hook', point: 'before_tool_call', run: look }],
      verifiers: [{ name: 'verifier hook', point: 'after_verification', run: look }],
      lifecycle: [{ name: 'turn hook', point: 'before_turn', run: look }],
    })
    const history = () => events
    await hooks.fire('before_tool_call', { ...call(), history })
    await hooks.fire('after_verification', { ...verified(), history })
    await hooks.fire('before_turn', occasion({ history }))
    expect(seen).toEqual([events, events, events])
    expect(seen[0]?.[0]).not.toBe(events[0])
  })

  it('is read when it is asked for, and costs nothing before', async () => {
    let reads = 0
    const history = () => ((reads += 1), events)
    await gates(watcher([])).fire('before_tool_call', { ...call(), history })
    expect(reads).toBe(0)
  })
})

describe('given arguments that cannot be copied', () => {
  it('what cannot be copied is a failure of the hook, and closed for a gate', async () => {
    const strange = new Proxy({}, {}) as Record<string, never>
    const { merged } = await gates(watcher([])).fire('before_tool_call', call(strange))
    expect(merged.decision).toBe('forbidden')
  })
})
