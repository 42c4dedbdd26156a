import { describe, expect, it } from 'vitest'
import {
  expectRefusals,
  hookProtocolContract,
  recordedHooks,
} from '../../protocol/hooks/fixtures/contract.ts'
import { codexHooks } from './hooks.ts'

hookProtocolContract(codexHooks)

it('refuses a call in the words of the agent', () => {
  expectRefusals(codexHooks, 'PreToolUse', /"permissionDecision":"deny"/)
})

const recorded = recordedHooks(new URL('fixtures/hooks.jsonl', import.meta.url))
const events = recorded.map(({ event, payload }) => codexHooks.read(event, payload, {}))

describe('given a recorded session of Codex', () => {
  it('tells a command, and that nobody says whether it failed', () => {
    expect(events).toContainEqual(
      expect.objectContaining({
        event: expect.objectContaining({
          kind: 'tool-finished',
          call: expect.objectContaining({ act: { kind: 'command', script: 'echo hi; exit 3' } }) as unknown,
          result: { status: 'unknown', output: 'hi\n' },
        }) as unknown,
      }),
    )
  })

  it('leaves the claim of a goal to the hook that has the time for it', () => {
    const claim = recorded.find(({ payload }) => JSON.stringify(payload).includes('"complete"'))
    expect(codexHooks.read('PreToolUse', claim?.payload, {})).toMatchObject({ event: { kind: 'irrelevant' } })
    expect(codexHooks.read('UpdateGoal', claim?.payload, {})).toMatchObject({ event: { kind: 'stopping' } })
  })
})

it('a goal is not reached while a check is red', () => {
  const { stdout } = codexHooks.answer('UpdateGoal', { kind: 'block', feedback: 'the check is red' })
  expect(JSON.parse(stdout)).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'the check is red',
    },
  })
})
