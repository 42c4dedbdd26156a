import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  changedText,
  readAction,
  callOf,
  outcomeOf,
  answerOf,
  parseQuestion,
  scriptOf,
  parseToolCall,
  type ToolCallNews,
} from './tool-call.ts'

const heard = (message: object): ToolCallNews => {
  const news = parseToolCall({ toolCallId: 'c1', ...message })
  if (news === undefined) throw new TypeError('it could not be read')
  return news
}

describe('given a tool call in the words of an agent', () => {
  it.each<readonly [string, object, string | undefined]>([
    ['input', { rawInput: { command: 'ls -l' } }, 'ls -l'],
    ['words', { rawInput: { command: ['bash', '-lc', 'ls && pwd'] } }, 'ls && pwd'],
    ['words with quotes', { rawInput: { command: ['echo', "it's"] } }, String.raw`echo 'it'\''s'`],
    ['title', { title: 'ls -l' }, 'ls -l'],
    ['title between backquotes', { title: '`ls -l`' }, 'ls -l'],
    ['title between backquotes that hold another', { title: '`a` and `b`' }, '`a` and `b`'],
    ['nothing', { rawInput: { cwd: '/' } }, undefined],
  ])('finds its command in the %s', (_, message, script) => {
    expect(scriptOf(heard(message))).toBe(script)
  })

  it('takes a place that nobody can look at for one outside of the work folder', async () => {
    const path = 'x'.repeat(300)
    const edit = heard({ kind: 'edit', locations: [{ path }] })
    const files = [{ path: `../${path}`, before: undefined, after: undefined }]
    expect(await readAction(edit, '/tmp')).toEqual({ kind: 'change', files })
  })

  it.each<readonly [object, object]>([
    [
      { status: 'completed', rawOutput: 'fine' },
      { status: 'ok', output: 'fine' },
    ],
    [
      { status: 'failed', rawOutput: 'bad' },
      { status: 'error', output: 'bad' },
    ],
    [
      { status: 'completed', rawOutput: { output: 'x', metadata: { exit: 3 } } },
      { status: 'error', output: 'x' },
    ],
    [
      { status: 'completed', content: [{ type: 'content', content: { type: 'text', text: 'shown' } }] },
      { output: 'shown' },
    ],
  ])('reads its end: %o', (message, outcome) => {
    expect(outcomeOf(heard(message))).toMatchObject(outcome)
  })

  it('reads anything without throwing', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (rawInput, content) => {
        const news = parseToolCall({ toolCallId: 'x', rawInput, content, kind: content, title: rawInput })
        return news === undefined || callOf(news, 'x').callId === 'x'
      }),
    )
  })
})

describe('given what a change shows', () => {
  const diff = (oldText: string | null, newText: string) => ({
    kind: 'diff' as const,
    path: 'a',
    oldText,
    newText,
    isDeletion: false,
  })

  it.each<
    readonly [
      string,
      string | null | undefined,
      readonly ReturnType<typeof diff>[],
      boolean,
      string | null | undefined,
    ]
  >([
    ['a whole file', 'old', [diff(null, 'new')], false, 'new'],
    ['a whole file that was', 'old', [diff('old', 'new')], false, 'new'],
    ['a new file', null, [diff('', 'new')], false, 'new'],
    ['a piece', 'a b c', [diff('b', 'x')], false, 'a x c'],
    ['several pieces', 'a b c', [diff('a', '1'), diff('c', '3')], false, '1 b 3'],
    ['a piece in every place', 'b b', [diff('b', 'x')], true, 'x x'],
    ['a piece in one of two places', 'b b', [diff('b', 'x')], false, undefined],
    ['a piece that is not there', 'abc', [diff('z', 'x')], false, undefined],
    ['something added nobody knows where', 'abc', [diff('', 'x')], false, undefined],
    ['a file that cannot be read', undefined, [diff('b', 'x')], false, undefined],
    ['its end', 'abc', [{ ...diff('abc', ''), isDeletion: true }], false, null],
  ])('knows what becomes of %s', (_, before, diffs, all, after) => {
    expect(changedText(before, diffs, all)).toBe(after)
  })
})

describe('given the options of a permission request', () => {
  const options = ['allow_always', 'reject_always', 'allow_once', 'reject_once'].map((kind) => ({
    optionId: `o-${kind}`,
    kind,
  }))
  const question = parseQuestion({
    toolCall: { toolCallId: 'c' },
    options: [...options, { kind: 'maybe' }, 7],
  })

  it('has no yes where there is only one for ever, and a no for ever is a no', () => {
    const rest = (question?.options ?? []).filter(({ kind }) => kind.endsWith('always'))
    expect(answerOf(rest, true)).toBeUndefined()
    expect(answerOf(rest, false)).toEqual({ outcome: { outcome: 'selected', optionId: 'o-reject_always' } })
  })
})
