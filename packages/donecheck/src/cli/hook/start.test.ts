import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kindOfCall } from './start.ts'

const sent = (payload: unknown) => ({ kind: 'payload', payload }) as const

describe('given what an agent has sent', () => {
  it.each([
    [{ tool_input: { command: 'ls' } }, 'PreToolUse-command'],
    [{ toolArgs: { command: 'ls' } }, 'PreToolUse-command'],
    [{ command: 'ls' }, 'PreToolUse-command'],
    [{ tool_input: { file_path: 'a', content: '' } }, 'PreToolUse-change'],
    [{ tool_input: { file_path: 'a', old_string: 'a', new_string: 'b' } }, 'PreToolUse-change'],
    [{ tool_input: { file_path: 'a' } }, 'PreToolUse-other'],
    [{ tool_input: 'command' }, 'PreToolUse-other'],
    [null, 'PreToolUse-other'],
  ])('%j has compiled code of its own: %s', (payload, name) => {
    expect(kindOfCall(['claude-code', 'PreToolUse'], sent(payload))).toBe(name)
  })

  it('nothing of it becomes part of a path', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.anything(), (words, payload) => {
        expect(kindOfCall(words, sent(payload))).toMatch(/^[A-Za-z]{1,40}-(?:command|change|other)$/)
      }),
    )
    expect(kindOfCall(['claude-code', '../x'], undefined)).toBe('other-other')
  })
})
