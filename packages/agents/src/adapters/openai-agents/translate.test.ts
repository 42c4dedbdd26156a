import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fc, it as prop } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { UsageLike } from './sdk.ts'
import { noUsage } from '../../protocol/stream/index.ts'
import { callOf, endingOf, lastStep, totalOf, usageSince } from './translate.ts'

interface Recording {
  /** What a filter saw before every call of the model. */
  readonly inputs: readonly [object[], object[], object[]]
  readonly history: readonly object[]
  readonly usage: UsageLike
}

const file = join(import.meta.dirname, 'fixtures/run.json')
const { inputs, history, usage } = JSON.parse(readFileSync(file, 'utf8')) as Recording

describe('given a recorded run of the SDK', () => {
  it('finds the latest reply, and what became of its calls', () => {
    expect(lastStep(inputs[1], new Set(), { read: { kind: 'read' } })).toEqual({
      text: 'I look first.',
      ended: [
        {
          call: { callId: 'call_0_0', tool: 'read', args: { path: 'a.txt' }, act: { kind: 'read' } },
          result: { status: 'unknown', output: 'content of a.txt' },
        },
        {
          call: { callId: 'call_0_1', tool: 'fails', args: {}, act: { kind: 'unknown' } },
          result: { status: 'error', output: 'An error occurred while running the tool. Please try again.' },
        },
      ],
    })
  })

  it('tells nothing twice', () => {
    const reported = new Set(['call_0_0', 'call_0_1'])
    expect(lastStep(inputs[2], reported, {})).toMatchObject({
      text: '',
      ended: [{ call: { callId: 'call_1_0' } }],
    })
    expect(lastStep(history, new Set([...reported, 'call_1_0']), {})).toEqual({ text: 'Done.', ended: [] })
  })

  it('counts what was used since', () => {
    const first = { ...noUsage, inputTokens: 1000, outputTokens: 50, cachedInputTokens: 400 }
    expect(usageSince(usage, first)).toEqual({
      inputTokens: 2000,
      outputTokens: 100,
      cachedInputTokens: 800,
      reasoningTokens: 0,
      estimated: false,
    })
    expect(usageSince(usage, totalOf(usage))).toBeNull()
    expect(usageSince(undefined, noUsage)).toBeNull()
  })
})

describe('given tools that the SDK brings', () => {
  it('knows what a shell would run', () => {
    const call = { type: 'shell_call', callId: 's', action: { commands: ['ls', 'rm -rf /'] } }
    expect(callOf(call, {})?.act).toEqual({ kind: 'command', script: 'ls\nrm -rf /' })
    const output = [{ stdout: '', stderr: 'no', outcome: { type: 'exit', exitCode: 1 } }]
    expect(endingOf({ type: 'shell_call_output', callId: 's', output })?.result.status).toBe('error')
  })

  it.each([
    [
      { type: 'create_file', path: 'a', diff: '+one\n' },
      '*** Begin Patch\n*** Add File: a\n+one\n*** End Patch',
    ],
    [{ type: 'delete_file', path: 'a' }, '*** Begin Patch\n*** Delete File: a\n*** End Patch'],
    [
      { type: 'update_file', path: 'a', moveTo: 'b', diff: '@@\n-one\n+two' },
      '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-one\n+two\n*** End Patch',
    ],
  ])('knows the patch of %o', (operation, patch) => {
    expect(callOf({ type: 'apply_patch_call', callId: 'p', operation }, {})?.act).toEqual({
      kind: 'patch',
      patch,
    })
  })

  it('does not know what a patch of another kind does', () => {
    expect(callOf({ type: 'apply_patch_call', callId: 'p', operation: {} }, {})?.act).toEqual({
      kind: 'unknown',
    })
  })
})

describe('given anything that a model wrote', () => {
  it('keeps arguments that are no JSON as they are', () => {
    const call = callOf({ type: 'function_call', callId: 'c', name: 'constructor', arguments: '{no' }, {})
    expect(call).toEqual({ callId: 'c', tool: 'constructor', args: '{no', act: { kind: 'unknown' } })
  })

  prop.prop([fc.array(fc.object())])('never throws', (items) => {
    expect(lastStep(items, new Set(), {})).toHaveProperty('ended')
  })
})
