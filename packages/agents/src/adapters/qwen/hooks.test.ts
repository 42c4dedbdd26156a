import { describe, expect, it } from 'vitest'
import {
  expectRefusals,
  hookProtocolContract,
  recordedHooks,
} from '../../protocol/hooks/fixtures/contract.ts'
import { qwenHooks } from './index.ts'

hookProtocolContract(qwenHooks)

it('refuses a call in the words of the agent', () => {
  expectRefusals(qwenHooks, 'PreToolUse', /"permissionDecision":"(deny|ask)"/)
})

const recorded = recordedHooks(new URL('fixtures/hooks.jsonl', import.meta.url))
const events = recorded.flatMap(({ event, payload }) => {
  const reading = qwenHooks.read(event, payload, {})
  return reading.kind === 'read' ? [reading.event] : []
})

describe('given a recorded session of Qwen Code', () => {
  it('is read from end to end', () => {
    expect(events).toHaveLength(recorded.length)
  })

  it('tells the prompts of its user alone', () => {
    const prompts = events.flatMap((event) => (event.kind === 'prompted' ? [event.prompt] : []))
    // The recording contains another program's feedback.
    expect(prompts).toEqual(['fix it', 'not done: R1'])
  })

  it('tells a command that failed', () => {
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'tool-finished',
        result: expect.objectContaining({ status: 'error' }) as unknown,
      }),
    )
  })
})

it('never says that a turn is to be continued where it is to be ended', () => {
  const { stdout } = qwenHooks.answer('Stop', { kind: 'end', message: 'a cap was reached' })
  expect(JSON.parse(stdout)).toEqual({ systemMessage: 'a cap was reached' })
})
