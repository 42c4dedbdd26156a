import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentSignal, LinesEnd } from '../../agents/index.ts'
import type { JsonValue, TokenUsage } from '../../events/index.ts'
import { ExecTranslator, type ExecTurn } from './translate-exec.ts'

const thread = '00000000-0000-7000-8000-000000000001'
const exited = (exitCode: number, stderrTail = ''): LinesEnd => ({
  kind: 'exited',
  exitCode,
  problem: `it ended with exit code ${exitCode}`,
  stderrTail,
})

function recorded(name: string): readonly JsonValue[] {
  const text = readFileSync(join(import.meta.dirname, 'fixtures', `${name}.jsonl`), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonValue)
}

function play(
  lines: readonly JsonValue[],
  end = exited(0),
  turn: Partial<ExecTurn> = {},
): readonly AgentSignal[] {
  const translator = new ExecTranslator({ session: undefined, usedBefore: undefined, ...turn })
  const signals = lines.flatMap((line) => [...translator.line(line)])
  return [...signals, translator.end(end)]
}

const usage = (inputTokens: number, outputTokens: number, cachedInputTokens: number): TokenUsage => ({
  ...{ inputTokens, outputTokens, cachedInputTokens, reasoningTokens: 0 },
  estimated: false,
})

describe('given a recorded turn', () => {
  const signals = play(recorded('exec-turn'))

  it('tells the thread, and the words of the model', () => {
    expect(signals[0]).toEqual({ kind: 'session', id: thread })
    expect(signals.filter(({ kind }) => kind === 'text')).toEqual([
      { kind: 'text', piece: 'Let me look.' },
      { kind: 'text', piece: 'Done.' },
    ])
  })

  it('tells each call once, and what became of it', () => {
    const calls = signals.flatMap((signal) =>
      signal.kind === 'call' ? [[signal.tool, signal.args, signal.effect]] : [],
    )
    expect(calls).toEqual([
      ['exec_command', { command: 'echo hi; exit 3' }, 'execute'],
      ['apply_patch', { changes: [{ path: '/project/a.txt', kind: 'add' }] }, 'write'],
      ['web_search', { query: 'abc' }, 'read'],
      ['exec_command', { command: 'sleep 1; echo two' }, 'execute'],
    ])
    const ends = signals.flatMap((signal) =>
      signal.kind === 'call-ended' ? [[signal.status, signal.output]] : [],
    )
    expect(ends).toEqual([
      ['error', 'hi\n\nexit code 3'],
      ['ok', 'completed: add /project/a.txt'],
      ['ok', 'completed'],
      ['ok', 'two\n'],
    ])
  })

  it('ends with the last words, and what was used', () => {
    expect(signals.at(-1)).toEqual({ kind: 'turn-ended', text: 'Done.', usage: usage(400, 40, 160) })
  })
})

describe('given a thread that is gone on with', () => {
  it('books what was used since, for Codex tells the total of the thread', () => {
    const totals: TokenUsage[] = []
    const signals = play(recorded('exec-resumed'), exited(0), {
      session: thread,
      usedBefore: usage(400, 40, 160),
      onTotal: (total) => totals.push(total),
    })
    expect(signals.at(-1)).toMatchObject({ usage: usage(100, 10, 40) })
    expect(totals).toEqual([usage(500, 50, 200)])
  })

  it('books all of it where nobody knows what was used before: never too little', () => {
    expect(play(recorded('exec-resumed')).at(-1)).toMatchObject({ usage: usage(500, 50, 200) })
  })

  it('is lost where Codex has no record of it', () => {
    const end = exited(1, 'Error: thread/resume: no rollout found for thread id X')
    expect(play([], end, { session: thread }).at(-1)).toMatchObject({ kind: 'session-lost' })
    expect(play([], end).at(-1)).toMatchObject({ kind: 'turn-ended', failure: { kind: 'configuration' } })
  })
})

describe('given a turn that went wrong', () => {
  it('is a failure where Codex says so', () => {
    expect(play(recorded('exec-failed'), exited(1)).at(-1)).toMatchObject({
      failure: { kind: 'configuration', retryable: false },
    })
  })

  it('is no success by its exit code alone', () => {
    const cut = recorded('exec-turn').slice(0, -1)
    expect(play(cut, exited(0)).at(-1)).toMatchObject({
      problem: expect.stringContaining('in the middle of its turn') as string,
    })
  })

  it('is no success by its last line alone', () => {
    expect(play(recorded('exec-turn'), exited(1)).at(-1)).toMatchObject({
      problem: expect.stringContaining('exit code 1') as string,
    })
  })

  it('is a matter of configuration where none began', () => {
    const absent: LinesEnd = {
      kind: 'not-started',
      exitCode: null,
      problem: 'there is no program "codex"',
      stderrTail: '',
    }
    for (const end of [absent, exited(2)])
      expect(play([], end).at(-1)).toMatchObject({ failure: { kind: 'configuration', retryable: false } })
  })
})

describe('given a list of what is to do', () => {
  it('is told as it grows, and acts on nothing', () => {
    const line = (type: string, completed: boolean) => ({
      type,
      item: { id: 'item_1', type: 'todo_list', items: [{ text: 'write it', completed }, { text: 'run it' }] },
    })
    const lines = [line('item.started', false), line('item.updated', true), line('item.completed', true)]
    const plans = play(lines).slice(0, -1)
    expect(plans).toHaveLength(3)
    expect(plans[0]).toMatchObject({ kind: 'plan', entries: [{ state: 'pending' }, { state: 'pending' }] })
    expect(plans[2]).toEqual({
      kind: 'plan',
      entries: [
        { text: 'write it', state: 'completed' },
        { text: 'run it', state: 'pending' },
      ],
    })
  })
})

describe('given lines of any kind', () => {
  it('goes on reading', () => {
    const item = fc.record(
      {
        id: fc.string(),
        type: fc.constantFrom('command_execution', 'file_change', 'mcp_tool_call', 'todo_list', 'x'),
        status: fc.jsonValue(),
        changes: fc.jsonValue(),
        items: fc.jsonValue(),
        result: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    const event = fc.record(
      {
        type: fc.constantFrom(
          'item.started',
          'item.updated',
          'item.completed',
          'thread.started',
          'turn.completed',
          'error',
        ),
        item: fc.oneof(item, fc.jsonValue()),
        usage: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(event, fc.jsonValue())), (lines) => {
        const signals = play(lines as JsonValue[])
        const begun = signals.flatMap((signal) => (signal.kind === 'call' ? [signal.callId] : []))
        const ended = signals.flatMap((signal) => (signal.kind === 'call-ended' ? [signal.callId] : []))
        expect(begun).toEqual(expect.arrayContaining(ended))
        expect(signals.at(-1)?.kind).toBe('turn-ended')
      }),
    )
  })
})
