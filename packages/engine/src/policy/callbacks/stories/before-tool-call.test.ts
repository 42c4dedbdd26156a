import { describe, expect, it } from 'vitest'
import type { GateKind } from '@donecheck/core/internal/events/gate'
import { call, gate, gates } from '../fixtures/occasions.ts'
import type { ToolHook } from '../registration.ts'

type BeforeToolCall = Extract<ToolHook, { point: 'before_tool_call' }>

function says(name: string, decision: GateKind, more: Partial<BeforeToolCall> = {}): ToolHook {
  return gate(name, () => ({ decision, reason: `${name} says so` }), more)
}

function fire(...tools: readonly ToolHook[]) {
  return gates(...tools).fire('before_tool_call', call({ command: 'ls', timeout: 1 }))
}

describe('given decisions of several hooks before a tool call', () => {
  it.each([
    [['allow'], 'allow'],
    [['allow', 'prompt'], 'prompt'],
    [['prompt', 'allow'], 'prompt'],
    [['allow', 'forbidden'], 'forbidden'],
    [['prompt', 'forbidden', 'allow'], 'forbidden'],
  ] as const)('of %j, %s holds', async (decisions, expected) => {
    const hooks = decisions.map((decision, index) => says(`hook-${index}`, decision))
    expect((await fire(...hooks)).merged.decision).toBe(expected)
  })

  it('no decision is no decision: the gate decides alone', async () => {
    const { merged, ran } = await fire(gate('silent', () => undefined))
    expect(merged).toEqual({})
    expect(ran).toMatchObject([{ hook: 'silent', effect: 'none', order: 1, callId: 'call-1' }])
  })

  it('the reason is of those whose decision holds, and names them', async () => {
    const { merged } = await fire(says('calm', 'allow'), says('one', 'prompt'), says('two', 'prompt'))
    expect(merged.reason).toBe('hook one: one says so; hook two: two says so')
  })

  it('after a `forbidden` the later ones are skipped, and told as skipped', async () => {
    const asked: string[] = []
    const late = says('late', 'allow', { run: () => void asked.push('late') })
    const { ran } = await fire(says('grim', 'forbidden'), late)
    expect(ran.map(({ hook, order, effect }) => [hook, order, effect])).toEqual([
      ['grim', 1, 'denied'],
      ['late', 2, 'skipped'],
    ])
    expect(asked).toEqual([])
  })

  it.each([
    ['allow', 'allowed'],
    ['prompt', 'asked'],
    ['forbidden', 'denied'],
  ] as const)('%s is traced as %s with its reason', async (decision, effect) => {
    const { ran } = await fire(says('one', decision))
    expect(ran).toMatchObject([{ effect, note: 'one says so' }])
  })
})

describe('given hooks that change the arguments', () => {
  const longer = gate('longer', ({ args }) => ({ args: { ...(args as object), timeout: 60 } }))
  const quoted = gate('quoted', ({ args }) => ({ args: { ...(args as object), command: 'ls -l' } }))

  it('each sees what the one before it made of them', async () => {
    const { merged, ran } = await fire(longer, quoted)
    expect(merged).toEqual({ args: { command: 'ls -l', timeout: 60 } })
    expect(ran).toMatchObject([
      { effect: 'rewrote', note: 'arguments changed: timeout' },
      { effect: 'rewrote', note: 'arguments changed: command' },
    ])
  })

  it('a later gate judges the changed ones', async () => {
    const judge = says('gate', 'allow', {
      run: ({ args }) => ({ decision: JSON.stringify(args).includes('ls -l') ? 'forbidden' : 'allow' }),
    })
    expect((await fire(quoted, judge)).merged.decision).toBe('forbidden')
    expect((await fire(judge, quoted)).merged.decision).toBe('allow')
  })

  it('what comes out is not what the hook still holds', async () => {
    const held = { command: 'ls' }
    const { merged } = await fire({ ...longer, run: () => ({ args: held }) })
    held.command = 'rm -rf /'
    expect(merged.args).toEqual({ command: 'ls' })
  })
})

describe('given hooks with priorities', () => {
  it('lower numbers run earlier, equal ones as they were registered, 100 where none is given', async () => {
    const { ran } = await fire(
      says('hundred', 'allow'),
      says('late', 'allow', { priority: 200 }),
      says('early', 'allow', { priority: -1 }),
      says('hundred too', 'allow', { priority: 100 }),
    )
    expect(ran.map(({ hook }) => hook)).toEqual(['early', 'hundred', 'hundred too', 'late'])
  })
})
