import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HostCall } from '../../protocol/host/index.ts'
import type { RunEvent } from '@donecheck/core/internal/events'
import { memoryStore } from '@donecheck/engine/testing'
import { fileExists } from '@donecheck/engine/verify'
import { boundEvent, maxNameLength, maxPromptLength } from './facts.ts'
import { createAgentSession } from '../index.ts'

const callNamed = (callId: string, tool = 'Bash'): HostCall => ({
  callId,
  tool,
  args: {},
  act: { kind: 'command', script: 'true' },
})

describe('given a host that tells more than anybody wants to keep', () => {
  it('keeps the record small, with both ends of the prompt in it', async () => {
    const events: RunEvent[] = []
    const agentSession = await createAgentSession({
      agent: 'a test',
      store: memoryStore(),
      workFolder: null,
      hardVerifiers: [fileExists('done.txt')],
      onEvent: (event) => events.push(event),
    })
    await agentSession.observe({ kind: 'prompted', prompt: `first ${'x'.repeat(3_000_000)} last` })
    const call = callNamed('i'.repeat(1_000_000), 't'.repeat(1_000_000))
    await agentSession.observe({ kind: 'tool-proposed', call })
    await agentSession.observe({ kind: 'tool-finished', call, result: { status: 'ok', output: '' } })
    await agentSession.observe({ kind: 'turn-failed', message: 'm'.repeat(1_000_000) })

    expect(JSON.stringify(events).length).toBeLessThan(2 * maxPromptLength)
    expect(agentSession.state?.task).toMatch(/^first x/)
    expect(agentSession.state?.task).toMatch(/x last$/)
    expect(events.filter(({ type }) => type === 'tool-returned')).toHaveLength(1)
  })
})

describe('given any name of a call', () => {
  it('never makes two that differ the same, and none longer than its bound', () => {
    const name = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.nat(500).map((length) => 'a'.repeat(length)),
    )
    const boundedId = (callId: string) => {
      const event = boundEvent({ kind: 'tool-proposed', call: callNamed(callId) })
      return event.kind === 'tool-proposed' ? event.call.callId : ''
    }
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(boundedId(one).length).toBeLessThanOrEqual(maxNameLength)
        expect(boundedId(one) === boundedId(other)).toBe(one === other)
      }),
    )
  })
})
