import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fc, it as prop } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { taskIn } from '../../session/index.ts'
import { replyOf, resultOf, usageOf } from './session.ts'

interface Recording {
  /** What a processor of a step saw. */
  readonly replies: readonly object[]
  /** Arguments of the hook after a call. */
  readonly ended: readonly object[]
}

const file = join(import.meta.dirname, 'fixtures/execution.json')
const { replies, ended } = JSON.parse(readFileSync(file, 'utf8')) as Recording

describe('given a recorded execution', () => {
  it('knows a reply, its calls and what it used', () => {
    expect(replyOf(replies[0], { read: { kind: 'read' } })).toEqual({
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
    expect(replyOf(replies[1], {})).toMatchObject({ text: 'Done.', calls: [] })
  })

  it('knows what became of the calls', () => {
    expect(ended.map(resultOf)).toEqual([
      { status: 'ok', output: 'content of a.txt' },
      { status: 'error', output: 'no such thing' },
    ])
  })
})

describe('given what an agent is asked with', () => {
  it.each([
    ['fix it', 'fix it'],
    [['read this', 'fix it'], 'fix it'],
    [
      [
        { role: 'user', content: 'fix it' },
        { role: 'assistant', content: 'which?' },
      ],
      'fix it',
    ],
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'fix' },
          { type: 'text', text: 'it' },
        ],
      },
      'fix\nit',
    ],
    [{ role: 'user', content: { format: 2, parts: [{ type: 'text', text: 'fix it' }] } }, 'fix it'],
    [undefined, ''],
  ])('finds the task of %o', (input, task) => {
    expect(taskIn(input)).toBe(task)
  })

  prop.prop([fc.anything()])('throws at nothing', (value) => {
    expect(() => [replyOf(value, {}), resultOf(value), usageOf(value), taskIn(value)]).not.toThrow()
  })
})
