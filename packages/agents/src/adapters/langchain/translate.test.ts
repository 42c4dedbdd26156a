import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replyOf, resultOf } from './session.ts'

const file = join(import.meta.dirname, 'fixtures/run.json')
const messages = JSON.parse(readFileSync(file, 'utf8')) as readonly object[]

describe('given recorded messages of a run', () => {
  it('knows a reply, its calls and what it used', () => {
    expect(replyOf(messages[1], { read: { kind: 'read' } })).toEqual({
      text: 'I look first.',
      calls: [
        { callId: 'call_0_0', tool: 'read', args: { path: 'a.txt' }, act: { kind: 'read' } },
        { callId: 'call_0_1', tool: 'fails', args: {}, act: { kind: 'unknown' } },
      ],
      usage: {
        inputTokens: 1000,
        outputTokens: 50,
        cachedInputTokens: 0,
        reasoningTokens: 0,
        estimated: false,
      },
    })
  })

  it('knows what became of the calls', () => {
    expect(resultOf(messages[2])).toEqual({ status: 'ok', output: 'content of a.txt' })
    expect(resultOf(messages[3])).toEqual({
      status: 'error',
      output: 'Error: no such thing\n Please fix your mistakes.',
    })
  })
})
