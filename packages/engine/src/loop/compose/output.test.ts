import { describe, expect, it } from 'vitest'
import { scriptedAgent } from '../agents/index.ts'
import { verifier, tool } from '../../testing/index.ts'
import { createAgentLoop } from './compose.ts'

describe('given checks and a tool that print while they run', () => {
  it('then whoever looks on is told by whom, and nothing of a check that is held out', async () => {
    const seen: string[] = []
    const shown = verifier('shown', () => ({ status: 'passed' }))
    const hidden = verifier('hidden', () => ({ status: 'passed' }))
    const printing = [shown, hidden].map((one, index) => ({
      ...one,
      description: { ...one.description, role: index === 0 ? ('check' as const) : ('held-out' as const) },
      verify: (context: Parameters<typeof one.verify>[0], signal: AbortSignal) => {
        context.onOutput?.(`1 of 2`)
        return one.verify(context, signal)
      },
    }))
    const writes = tool('write', () => ({ status: 'ok', output: '' }))
    await createAgentLoop({
      agent: scriptedAgent([{ tools: [{ tool: 'write', args: {} }] }, 'Done.'], { repeatLast: true }),
      tools: [
        {
          ...writes,
          prepare: async () => ({
            kind: 'ready',
            summary: 'write',
            run: async (_signal, context) => {
              context?.onOutput?.('written')
              return { status: 'ok', output: '' }
            },
          }),
        },
      ],
      gate: { approval: 'never' },
      hardVerifiers: printing,
      hardCap: { iterations: 3 },
      onOutput: (from, piece) => seen.push(`${from}: ${piece}`),
    }).run('Work.')
    expect(seen).toContain('shown: 1 of 2')
    expect(seen.join()).not.toContain('hidden')
    expect(seen.some((line) => line.endsWith(': written'))).toBe(true)
  })
})
