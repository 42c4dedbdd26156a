import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedText, readAction } from './calls/action-of.ts'
import { acpTraitsOf } from '../../protocol/registry/index.ts'
import { answerOf, parseQuestion } from './calls/permission.ts'
import { scriptOf } from './calls/script-of.ts'
import { parseToolCall, withNews, type ToolCallNews } from './calls/tool-call.ts'
import { callOf, outcomeOf } from './translate.ts'

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

  it.each<readonly [string, object]>([
    ['it reads', { kind: 'read' }],
    ['it thinks', { kind: 'think' }],
  ])('does not take it for more when %s', (_, message) => {
    expect(callOf(heard(message), 'c1').effect).toBe('read')
  })

  it.each(['fetch', 'switch_mode', 'other', 'never heard of', undefined])(
    'takes the kind %s for a program',
    (kind) => {
      expect(callOf(heard({ kind }), 'c1').effect).toBe('execute')
    },
  )

  it('takes a place that nobody can look at for one outside of the work folder', async () => {
    const path = 'x'.repeat(300)
    const edit = heard({ kind: 'edit', locations: [{ path }] })
    const files = [{ path: `../${path}`, before: undefined, after: undefined }]
    expect(await readAction(edit, '/tmp')).toEqual({ kind: 'change', files })
  })

  it('tells two edits apart where the input is not told', () => {
    const edit = (newText: string) =>
      heard({ kind: 'edit', content: [{ type: 'diff', path: 'a', oldText: 'x', newText }] })
    expect(callOf(edit('1'), 'c').args).not.toEqual(callOf(edit('2'), 'c').args)
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

  it('puts its pieces together, whatever is left out of the later ones', () => {
    const first = heard({ kind: 'execute', title: 'sh', rawInput: { cwd: '/w' } })
    const later = withNews(first, heard({ rawInput: { command: 'ls' }, title: null, content: [] }))
    expect(later).toMatchObject({ kind: 'execute', title: 'sh', input: { cwd: '/w', command: 'ls' } })
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

  it('never claims to know a text that the file could not have become', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, oldText, newText) => {
        const after = changedText(before, [diff(oldText, newText)], false)
        return after === undefined || after === newText || after === before.replace(oldText, () => newText)
      }),
    )
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

  it('takes the one that counts once', () => {
    expect(answerOf(question?.options ?? [], true)).toEqual({
      outcome: { outcome: 'selected', optionId: 'o-allow_once' },
    })
    expect(answerOf(question?.options ?? [], false)).toEqual({
      outcome: { outcome: 'selected', optionId: 'o-reject_once' },
    })
  })

  it('has no yes where there is only one for ever, and a no for ever is a no', () => {
    const rest = (question?.options ?? []).filter(({ kind }) => kind.endsWith('always'))
    expect(answerOf(rest, true)).toBeUndefined()
    expect(answerOf(rest, false)).toEqual({ outcome: { outcome: 'selected', optionId: 'o-reject_always' } })
  })

  it.each([undefined, {}, { toolCall: {}, options: [] }, { toolCall: { toolCallId: 'c' }, options: 'all' }])(
    'does not take %o for a question',
    (params) => {
      expect(parseQuestion(params)).toBeUndefined()
    },
  )
})

describe('given the names of agents', () => {
  it.each<readonly [string, object]>([
    ['npx -y @agentclientprotocol/claude-agent-acp', { ofTurn: true, ofSteps: true, cost: true }],
    ['codex-acp', { ofTurn: true, cost: false }],
    ['gemini --acp', { ofTurn: true, ofSteps: false }],
    ['opencode acp', { ofTurn: false, cost: true }],
    ['my-own-agent', { ofTurn: false, ofSteps: false, cost: false }],
  ])('knows what %s tells', (line, tells) => {
    expect(acpTraitsOf(line).tells).toMatchObject(tells)
  })

  it('lets the Codex adapter ask us', () => {
    expect(acpTraitsOf('codex-acp').environment).toEqual({ INITIAL_AGENT_MODE: 'workspace-write' })
    expect(acpTraitsOf('gemini --acp').environment).toBeUndefined()
  })
})
