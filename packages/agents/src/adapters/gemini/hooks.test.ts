import { describe, expect, it } from 'vitest'
import {
  expectRefusals,
  hookProtocolContract,
  recordedHooks,
} from '../../protocol/hooks/fixtures/contract.ts'
import { geminiHooks } from './index.ts'

hookProtocolContract(geminiHooks)

it('refuses a call in the words of the agent', () => {
  expectRefusals(geminiHooks, 'BeforeTool', /"decision":"deny"/)
})

const recorded = recordedHooks(new URL('fixtures/hooks.jsonl', import.meta.url))
const events = recorded.flatMap(({ event, payload }) => {
  const reading = geminiHooks.read(event, payload, {})
  return reading.kind === 'read' ? [reading.event] : []
})

describe('given a recorded session of Gemini CLI', () => {
  it('is read from end to end', () => {
    expect(events).toHaveLength(recorded.length)
  })

  it('tells what calls would do, and which of them failed', () => {
    const finished = events.flatMap((event) => (event.kind === 'tool-finished' ? [event] : []))
    expect(finished.map(({ call, result }) => [call.act.kind, result.status])).toEqual([
      ['command', 'error'],
      ['write', 'ok'],
      ['edit', 'ok'],
    ])
  })

  it('says that the last words hold the earlier ones', () => {
    expect(events.findLast(({ kind }) => kind === 'stopping')).toMatchObject({
      text: 'Shall I?\nDone.',
      textHoldsEarlier: true,
      // It was, and Gemini has forgotten it over a call of a tool.
      wasBlocked: false,
    })
  })
})

it('feedback that comes back as a prompt is nobody’s prompt', () => {
  const { stdout } = geminiHooks.answer('AfterAgent', { kind: 'block', feedback: 'the check is red' })
  const { decision, reason } = JSON.parse(stdout) as { decision: string; reason: string }
  expect(decision).toBe('deny')
  expect(reason).toContain('the check is red')
  expect(geminiHooks.read('BeforeAgent', { session_id: 's', prompt: reason }, {})).toMatchObject({
    event: { kind: 'irrelevant' },
  })
})
