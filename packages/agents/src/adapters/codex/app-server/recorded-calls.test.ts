import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { payloadOf, type Payload } from '../../../protocol/host/index.ts'
import { hasFailed, RecordedCalls } from './thread-records.ts'

function records(): readonly Payload[] {
  const text = readFileSync(join(import.meta.dirname, '../fixtures/rollout.jsonl'), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => payloadOf(JSON.parse(line)) ?? {})
}

function call(callId: string, args: Readonly<Record<string, unknown>>): Payload {
  const payload = {
    type: 'function_call',
    name: 'exec_command',
    call_id: callId,
    arguments: JSON.stringify(args),
  }
  return { type: 'response_item', payload }
}

describe('given the record of a thread', () => {
  it('holds each call with its arguments and its answer', () => {
    const calls = new RecordedCalls()
    calls.add(records())
    const ended = calls.takeEnded()
    expect(ended.map(({ callId, tool }) => [callId, tool])).toEqual([
      ['c1', 'exec_command'],
      ['c2', 'exec_command'],
      ['c3', 'exec_command'],
      ['c4', 'apply_patch'],
      ['c5', 'apply_patch'],
      ['c6', 'create_goal'],
      ['c7', 'update_goal'],
    ])
    expect(ended.map(({ output: said = '' }) => hasFailed(said))).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
      false,
    ])
    expect(calls.takeEnded()).toEqual([])
    // Nothing that differs between two equal calls.
    expect(ended[0]?.output).toMatch(/^Process exited with code 0\nOutput:\n/)
  })
})

describe('given a command that may leave the sandbox', () => {
  it('is told apart by what its model asked for', () => {
    const calls = new RecordedCalls()
    calls.add(records().slice(0, 2))
    expect(calls.leaving('c1')).toEqual({ kind: 'stays' })
    expect(calls.leaving('c2')).toEqual({ kind: 'leaves', reason: 'I need it', prefix: ['touch'] })
    expect(calls.leaving('c9')).toEqual({ kind: 'unknown' })
  })

  it('cannot hide behind another call of the same id', () => {
    const calls = new RecordedCalls()
    calls.add([
      call('c1', { cmd: 'ls', sandbox_permissions: 'require_escalated' }),
      call('c1', { cmd: 'ls' }),
    ])
    expect(calls.leaving('c1').kind).toBe('leaves')
  })
})
