import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fc, it as prop } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { callOf, lastReply, replyOf, resultOf, taskOf, textOfMessage, usageOf } from './translate.ts'

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

  it('knows the task and the last words', () => {
    expect(taskOf(messages)).toBe('look')
    expect(textOfMessage(lastReply(messages))).toBe('Done.')
  })
})

describe('given what no model says', () => {
  it('takes the parts of a content for its text', () => {
    const content = [{ type: 'text', text: 'Do' }, { type: 'image' }, 'ne.']
    expect(textOfMessage({ role: 'assistant', content })).toBe('Done.')
  })

  it('knows what a command of the graph brings, not whether it failed', () => {
    expect(resultOf({ update: { count: 1 } })).toEqual({ status: 'unknown', output: '{"count":1}' })
  })

  it('takes a call for anything where its act cannot be read', () => {
    const acts = {
      shell: () => {
        throw new Error('no command')
      },
    }
    expect(callOf({ name: 'shell', args: {} }, acts)).toMatchObject({
      callId: 'shell {}',
      act: { kind: 'unknown' },
    })
    expect(callOf({ name: 'toString', args: {} }, {})?.act).toEqual({ kind: 'unknown' })
  })

  prop.prop([fc.anything()])('throws at nothing', (value) => {
    expect(() => [replyOf(value, {}), resultOf(value), usageOf(value), taskOf([value])]).not.toThrow()
  })
})
