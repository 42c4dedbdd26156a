import { describe, expect, it } from 'vitest'
import { createAgentLoop } from '../compose.ts'
import { scriptedDrive } from '../../drives/index.ts'
import { tool } from '../../../testing/index.ts'

describe('given a loop that has run', () => {
  it('tells of every hook how often it was fired and what it did', async () => {
    const loop = createAgentLoop({
      drive: scriptedDrive([{ tools: [{ tool: 'write', args: {} }] }, 'Done.']),
      gate: { check: async () => ({ kind: 'allow', reason: 'a test' }) },
      tools: [tool('write', () => ({ status: 'ok', output: 'written' }))],
      hooks: {
        tools: [{ point: 'before_tool_call', name: 'no', run: () => ({ decision: 'forbidden' }) }],
        lifecycle: [{ point: 'before_turn', name: 'turn', run: () => undefined }],
      },
    })
    await loop.run('do it')
    expect(loop.hookCounters()).toMatchObject([
      { hook: 'no', fired: 1, denied: 1, failed: 0 },
      { hook: 'turn', fired: 2, denied: 0, failed: 0 },
    ])
  })
})
