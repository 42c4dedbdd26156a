import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type UsageLike, callOf, lastStep, totalOf, usageSince } from './translate.ts'
import { noUsage } from '../../protocol/host/index.ts'

interface Recording {
  /** What a filter saw before every call of the model. */
  readonly inputs: readonly [object[], object[], object[]]
  readonly history: readonly object[]
  readonly usage: UsageLike
}

const file = join(import.meta.dirname, 'fixtures/run.json')
const { inputs, usage } = JSON.parse(readFileSync(file, 'utf8')) as Recording

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
})
