import { describe, expect, it } from 'vitest'
import { output } from '../fixtures/occasions.ts'
import { hookPipeline } from '../pipeline.ts'
import type { ToolHook } from '../registration.ts'

function rewrites(name: string, rewrite: (before: string) => string, more: Partial<ToolHook> = {}): ToolHook {
  const run = (input: object) => ({ output: rewrite('output' in input ? String(input.output) : '') })
  return { name, point: 'tool_result_persist', run, ...more } as ToolHook
}

function fire(...tools: readonly ToolHook[]) {
  return hookPipeline({ tools }).fire('tool_result_persist', output('0'))
}

describe('given hooks that rewrite what a tool has said', () => {
  it('each goes on from the one before it', async () => {
    const { merged, ran } = await fire(
      rewrites('one', (text) => `${text}1`),
      rewrites('two', (text) => `${text}2`),
    )
    expect(merged).toEqual({ output: '012' })
    expect(ran).toMatchObject([
      { hook: 'one', effect: 'rewrote', note: '1 → 2 characters' },
      { hook: 'two', effect: 'rewrote', note: '2 → 3 characters' },
    ])
  })

  it('one that fails is passed over, for it is open by default', async () => {
    const broken = rewrites('broken', () => {
      throw new Error('no')
    })
    const { merged, refusal } = await fire(
      rewrites('one', (text) => `${text}1`),
      broken,
      rewrites('two', (text) => `${text}2`),
    )
    expect([merged, refusal]).toEqual([{ output: '012' }, undefined])
  })

  it('one that fails closed keeps all of it back, and no later one is asked', async () => {
    const mask = rewrites(
      'mask secrets',
      () => {
        throw new Error('no table')
      },
      { onFailure: 'closed' },
    )
    const { merged, ran, refusal } = await fire(
      mask,
      rewrites('two', (text) => `${text}2`),
    )
    expect(merged.output).toBe(
      '[the output is withheld: hook mask secrets failed, and fails closed: no table]',
    )
    expect(refusal).toContain('mask secrets')
    expect(ran.map(({ effect }) => effect)).toEqual(['failed', 'skipped'])
  })
})
