import { describe, expect, it } from 'vitest'
import { scriptedAgent } from '@donecheck/engine/internal/loop/agents'
import { createAgentLoop } from '@donecheck/engine/internal/loop/compose'
import { wayOn } from './runs.ts'

async function ran(options: Partial<Parameters<typeof createAgentLoop>[0]>) {
  const agent = scriptedAgent(['Done.'], { repeatLast: true })
  return (await createAgentLoop({ agent, ...options }).run('Work.')).state
}

describe('given what a run has come to', () => {
  it('then words begin another one, let it go on, or need more budget first', async () => {
    const passed = await ran({ hardVerifiers: [() => true] })
    const unchecked = await ran({})
    const spent = await ran({ hardVerifiers: [() => false], hardCap: { iterations: 1 } })
    expect(wayOn(undefined, false)).toBe('new')
    expect(wayOn(passed, true)).toBe('new')
    expect(wayOn(unchecked, false)).toBe('resume')
    expect(wayOn(spent, false)).toBe('needs-budget')
    expect(wayOn(spent, true)).toBe('resume')
  })
})
