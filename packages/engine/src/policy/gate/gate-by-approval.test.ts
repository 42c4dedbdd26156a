import { describe, expect, it } from 'vitest'
import type { ToolEffect } from '@donecheck/core/internal/events'
import { type ApprovalMode, gateByApproval } from './examine.ts'

const table: readonly (readonly [ApprovalMode, ToolEffect, 'allow' | 'prompt'])[] = [
  ['never', 'read', 'allow'],
  ['never', 'write', 'allow'],
  ['never', 'execute', 'allow'],
  ['writes', 'read', 'allow'],
  ['writes', 'write', 'prompt'],
  ['writes', 'execute', 'prompt'],
  ['all', 'read', 'prompt'],
  ['all', 'write', 'prompt'],
  ['all', 'execute', 'prompt'],
]

describe('given a gate by approval', () => {
  it.each(table)('approval "%s" and effect "%s": %s', async (mode, effect, kind) => {
    const decision = await gateByApproval(mode).check({ tool: 'a_tool', effect, args: {}, summary: 'a call' })
    expect(decision.kind).toBe(kind)
    expect(decision.reason).toContain(`approval is "${mode}"`)
  })
})
