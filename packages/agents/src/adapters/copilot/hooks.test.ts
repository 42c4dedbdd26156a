import { describe, expect, it } from 'vitest'
import {
  expectRefusals,
  hookProtocolContract,
  recordedHooks,
} from '../../protocol/hooks/fixtures/contract.ts'
import { copilotHooks } from './index.ts'

hookProtocolContract(copilotHooks)

it('refuses a call in the words of the agent', () => {
  expectRefusals(copilotHooks, 'preToolUse', /"permissionDecision":"(deny|ask)"/)
})

const recorded = recordedHooks(new URL('fixtures/hooks.jsonl', import.meta.url))
const events = recorded.flatMap(({ event, payload }) => {
  const reading = copilotHooks.read(event, payload, {})
  return reading.kind === 'read' ? [reading.event] : []
})

describe('given a recorded session of Copilot CLI', () => {
  it('is read from end to end', () => {
    expect(events).toHaveLength(recorded.length)
  })

  it('tells what calls would do, and which of them failed', () => {
    const finished = events.flatMap((event) => (event.kind === 'tool-finished' ? [event] : []))
    expect(finished.map(({ call, result }) => [call.act.kind, result.status])).toEqual([
      ['command', 'error'],
      ['write', 'ok'],
      ['edit', 'ok'],
      ['read', 'error'],
    ])
  })
})

it('arguments that come as a text are read as what they are', () => {
  const payload = { sessionId: 's', toolName: 'bash', toolArgs: '{"command":"ls"}' }
  expect(copilotHooks.read('preToolUse', payload, {})).toMatchObject({
    event: { call: { args: { command: 'ls' }, act: { kind: 'command', script: 'ls' } } },
  })
})

it('an error that it gets over ends no turn', () => {
  const error = { error: { message: 'x', name: 'Error' }, errorContext: 'model_call' }
  const read = (recoverable: boolean) =>
    copilotHooks.read('errorOccurred', { sessionId: 's', ...error, recoverable }, {})
  expect(read(true)).toMatchObject({ event: { kind: 'irrelevant' } })
  expect(read(false)).toMatchObject({ event: { kind: 'turn-failed', message: 'x' } })
})
