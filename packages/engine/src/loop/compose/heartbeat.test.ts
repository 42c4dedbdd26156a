import type { JsonValue } from '@donecheck/core/internal/events'
import { UsageError } from '../../base/index.ts'
import type { Reply } from '../../ports/replies.ts'
import type { Tool } from '../../ports/loop.ts'
import { memoryStore } from '../../system/store/index.ts'
import { commandAgent, scriptedAgent, type ScriptedStep } from '../agents/index.ts'
import type { AgentLoopOptions } from './compose.ts'
import { runHeartbeat, type HeartbeatOptions } from './heartbeat.ts'
import { describe, expect, it } from 'vitest'

const look: Tool = {
  name: 'look',
  description: 'looks',
  parameters: { type: 'object' },
  effect: 'read',
  prepare: async () => ({
    kind: 'ready',
    summary: 'look',
    run: async () => ({ status: 'ok', output: 'seen' }),
  }),
}

const looking = (...args: readonly JsonValue[]): ScriptedStep => ({
  tools: args.map((one) => ({ tool: 'look', args: one })),
})

interface Scene extends Partial<Omit<HeartbeatOptions, 'loop'>> {
  readonly script: readonly ScriptedStep[]
  readonly loop?: Partial<AgentLoopOptions>
}

async function beat({ script, loop, ...options }: Scene) {
  const delivered: Reply[] = []
  const result = await runHeartbeat({
    checklist: '- `disk`\n- `inbox`',
    deliver: (reply) => void delivered.push(reply),
    ...options,
    loop: {
      agent: scriptedAgent(script, { repeatLast: true }),
      tools: [look],
      gate: { check: async () => ({ kind: 'allow', reason: 'a test' }) },
      ...loop,
    },
  })
  return { ...result, said: delivered.map(({ text }) => text), delivered }
}

const both = looking({ at: 'disk' }, { at: 'inbox' })

describe('given an agent that says that all is well', () => {
  it('after a look at one of two it hears which is missing, and may look then', async () => {
    const heard: string[] = []
    const { kind } = await beat({
      script: [
        looking({ at: 'disk' }),
        'HEARTBEAT_OK',
        ({ conversation }) => {
          heard.push(conversation.rounds.at(-1)?.feedback ?? '')
          return { tools: [{ tool: 'look', args: { at: 'inbox' } }] }
        },
        'HEARTBEAT_OK',
      ],
    })
    expect(heard[0]).toContain('not looked at: "`inbox`"')
    expect(kind).toBe('all-clear')
  })

  it('while work goes on in the background it waits, and what was said is delivered', async () => {
    const background = looking({ at: 'disk' }, { at: 'inbox', run_in_background: true })
    const { kind, run, said } = await beat({ script: [background, 'The backup runs. HEARTBEAT_OK'] })
    expect([kind, said]).toEqual(['waiting', ['The backup runs.']])
    expect(run?.transition.outcome).toBe('blocked')
  })
})

describe('given an agent that reports something', () => {
  it('is delivered after a look, and believed by no look', async () => {
    const { kind, said } = await beat({ script: [both, 'The disk is full.'] })
    expect([kind, said]).toEqual(['report', ['The disk is full.']])
    const made = await beat({ script: ['I looked at everything, and the disk is full.'] })
    expect(made.kind).toBe('unverified')
    expect(made.delivered[0]).toMatchObject({ isVerified: false })
  })
})

describe('given items with a time of their own', () => {
  it('are not due again before it is over, as the record of earlier heartbeats says', async () => {
    const store = memoryStore()
    const checklist = '- `disk` (daily)\n- `inbox`'
    const first = await beat({ checklist, script: [both, 'HEARTBEAT_OK'], loop: { store } })
    expect(first.plan.due).toHaveLength(2)
    const second = await beat({
      checklist,
      script: [looking({ at: 'inbox' }), 'HEARTBEAT_OK'],
      loop: { store },
    })
    expect(second.plan.due).toEqual(['`inbox`'])
    expect(second.kind).toBe('all-clear')
  })
})

describe('given an agent whose calls nobody sees', () => {
  it('is refused: it could show no look', async () => {
    await expect(
      beat({ script: [], loop: { agent: commandAgent({ command: 'agent', folder: '/', timeoutMs: 1000 }) } }),
    ).rejects.toThrow(UsageError)
  })
})
