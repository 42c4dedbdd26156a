import { describe, expect, it } from 'vitest'
import { scriptedAgent } from '../agents/index.ts'
import { play, tool, typesOf, verifier } from '../../testing/index.ts'

const ok = { status: 'ok', output: 'written' } as const

describe('given a run whose only check speaks last', () => {
  it('then its cap ends it all the same, and nothing was verified', async () => {
    const held = verifier('held', () => ({ status: 'passed' }))
    const { state } = await play({
      agent: scriptedAgent([{ tools: [{ tool: 'write', args: {} }] }, 'Done.']),
      tools: [tool('write', () => ok)],
      caps: { maxIterations: 1 },
      verifiers: [{ ...held, description: { ...held.description, role: 'held-out' } }],
    })
    expect(state.phase).toMatchObject({ transition: { reason: 'hard_cap', outcome: 'exhausted' } })
  })
})

describe('given a turn with tools', () => {
  it('then every call is announced before it runs, answered after, and the turn has one transition', async () => {
    const order: string[] = []
    const write = tool('write', () => {
      order.push('ran')
      return ok
    })
    const { events } = await play({
      agent: scriptedAgent([{ tools: [{ tool: 'write', args: {} }] }, 'Done.']),
      tools: [write],
      onEvent: (event) => {
        if (event.type.startsWith('tool-')) order.push(event.type)
      },
    })
    expect(order).toEqual(['tool-called', 'ran', 'tool-returned'])
    expect(typesOf(events).filter((type) => type === 'turn-ended')).toHaveLength(2)
  })

  it('then a tool that throws, an unknown tool and wrong arguments are answers, not ends', async () => {
    const throws = tool('throws', () => Promise.reject(new Error('no disk')))
    const refuses = {
      ...tool('refuses', () => ok),
      prepare: async () => ({ kind: 'invalid' as const, reason: 'path is missing' }),
    }
    const { session, state } = await play({
      agent: scriptedAgent([
        { tools: ['throws', 'unheard', 'refuses'].map((name) => ({ tool: name, args: {} })) },
        'Done.',
      ]),
      tools: [throws, refuses],
    })
    const outputs = session.conversation.rounds[0]?.answers.map(({ output }) => output)
    expect(outputs).toEqual([
      'no disk',
      'Refused (schema): there is no tool "unheard"; the tools are: throws, refuses',
      'Refused (schema): path is missing',
    ])
    expect(state.phase.kind).toBe('stopped')
  })
})

describe('given secrets', () => {
  it('then no event holds them, and the tool still gets what was meant', async () => {
    const given: unknown[] = []
    const keep = {
      ...tool('keep', () => ok),
      prepare: async (args: unknown) => (given.push(args), { kind: 'invalid' as const, reason: 'kept' }),
    }
    const secret = 'hunter2-hunter2'
    const { events } = await play({
      agent: scriptedAgent([
        { text: `it is ${secret}`, tools: [{ tool: 'keep', args: { text: secret } }] },
        'Done.',
      ]),
      tools: [keep],
      secrets: { PASSWORD: secret },
    })
    expect(JSON.stringify(events)).not.toContain(secret)
    expect(JSON.stringify(events)).toContain('it is [masked:PASSWORD]')
    expect(given).toEqual([{ text: secret }])
  })
})
