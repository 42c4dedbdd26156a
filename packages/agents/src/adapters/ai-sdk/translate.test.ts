import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type StepLike, endedCallsOf, isClaim, usageOf } from './translate.ts'

const recording = join(import.meta.dirname, 'fixtures/steps.json')
const { steps } = JSON.parse(readFileSync(recording, 'utf8')) as { steps: [StepLike, StepLike, StepLike] }
const [calls, , claim] = steps

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

  it('knows the claim', () => {
    expect(steps.map(isClaim)).toEqual([false, false, true])
    expect(endedCallsOf(claim, {})).toEqual([])
  })
})
