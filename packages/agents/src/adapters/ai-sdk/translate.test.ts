import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fc, it as prop } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { StepLike } from './step.ts'
import { endedCallsOf, isClaim, usageOf, waitingOf } from './translate.ts'

const recording = join(import.meta.dirname, 'fixtures/steps.json')
const { steps } = JSON.parse(readFileSync(recording, 'utf8')) as { steps: [StepLike, StepLike, StepLike] }
const [calls, denied, claim] = steps

describe('given recorded steps of the SDK', () => {
  it('knows what was used, and what became of each call', () => {
    expect(usageOf(calls.usage)).toEqual({
      inputTokens: 1000,
      outputTokens: 50,
      cachedInputTokens: 400,
      reasoningTokens: 0,
      estimated: false,
    })
    expect(endedCallsOf(calls, { read: { kind: 'read' } })).toEqual([
      {
        call: { callId: 'call_0_0', tool: 'read', args: { path: 'a.txt' }, act: { kind: 'read' } },
        result: { status: 'ok', output: 'content of a.txt', durationMs: 3 },
      },
      {
        call: { callId: 'call_0_1', tool: 'fails', args: {}, act: { kind: 'unknown' } },
        result: { status: 'error', output: 'no luck', durationMs: 3 },
      },
    ])
  })

  it('takes a call that the agent itself denied for one that failed', () => {
    expect(endedCallsOf(denied, {})[0]).toMatchObject({
      result: { status: 'error', output: 'denied: not b' },
    })
  })

  it('knows the claim', () => {
    expect(steps.map(isClaim)).toEqual([false, false, true])
    expect(endedCallsOf(claim, {})).toEqual([])
  })
})

describe('given a step that does not fit the rule', () => {
  it('waits where a call has no result', () => {
    const open: StepLike = { ...calls, content: [] }
    expect(waitingOf(open)).toEqual(['read', 'fails'])
    expect(endedCallsOf(open, {})).toEqual([])
  })

  it('makes no claim of what was broken off', () => {
    expect(isClaim({ ...claim, finishReason: 'error' })).toBe(false)
    expect(isClaim({ ...claim, finishReason: 'length' })).toBe(true)
  })

  it('says nothing of usage that nobody told', () => {
    expect(usageOf({ inputTokens: undefined, outputTokens: undefined })).toBeNull()
    expect(usageOf({ inputTokens: 3, outputTokens: undefined })).toMatchObject({
      inputTokens: 3,
      outputTokens: 0,
    })
  })

  it('takes a reader of arguments that fails for one that knows nothing', () => {
    const fails = () => {
      throw new Error('no')
    }
    expect(endedCallsOf(calls, { read: fails })[0]).toMatchObject({
      call: { act: { kind: 'unknown' } },
    })
  })

  prop.prop([fc.anything(), fc.anything(), fc.constantFrom('constructor', '__proto__', 'read')])(
    'holds any argument and result as JSON',
    (input, output, toolName) => {
      const step: StepLike = {
        ...claim,
        toolCalls: [{ toolCallId: 'c', toolName, input }],
        content: [{ type: 'tool-result', toolCallId: 'c', output }],
      }
      const ended = endedCallsOf(step, {})
      expect(ended).toHaveLength(1)
      expect(() => JSON.stringify(ended)).not.toThrow()
    },
  )
})
