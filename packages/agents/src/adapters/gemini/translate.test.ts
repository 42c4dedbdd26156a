import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentSignal, LinesEnd } from '../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import { geminiTranslator } from './translate.ts'

const exited = (exitCode: number, stderrTail = ''): LinesEnd => ({
  kind: 'exited',
  exitCode,
  problem: `it ended with exit code ${exitCode}`,
  stderrTail,
})

function recorded(name: string): readonly JsonValue[] {
  const text = readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonValue)
}

function signalsOf(lines: readonly JsonValue[], end: LinesEnd): readonly AgentSignal[] {
  const translator = geminiTranslator()
  const signals = lines.flatMap((line) => [...translator.line(line)])
  return [...signals, translator.end(end, { lines: 0, last: [] })]
}

const last = (signals: readonly AgentSignal[]): AgentSignal | undefined => signals.at(-1)

describe('given a recorded turn that ended by itself', () => {
  const signals = signalsOf(recorded('stream-done.jsonl'), exited(0))

  it('tells session, words, calls, their ends and what was used, in their order', () => {
    expect(signals.map(({ kind }) => kind)).toEqual([
      'session',
      'text',
      'call',
      'call-ended',
      'text',
      'call',
      'call',
      'call-ended',
      'call-ended',
      'text',
      'turn-ended',
    ])
  })

  it('says what a call does and what became of it', () => {
    expect(signals[2]).toMatchObject({
      tool: 'run_shell_command',
      args: { command: 'ls' },
      effect: 'execute',
    })
    expect(signals[3]).toMatchObject({ status: 'ok', output: 'a.txt\nb.txt\nd.txt\nk.txt' })
    expect(signals[5]).toMatchObject({ tool: 'write_file', effect: 'write' })
    expect(signals[6]).toMatchObject({ tool: 'read_file', effect: 'read' })
    expect(signals[8]).toMatchObject({
      status: 'error',
      output: expect.stringContaining('not in workspace') as string,
    })
  })

  it('counts what the whole turn has used', () => {
    expect(last(signals)).toEqual({
      kind: 'turn-ended',
      text: '',
      usage: { inputTokens: 3000, outputTokens: 150, cachedInputTokens: 300, estimated: false },
    })
  })
})

describe('given a success that is none', () => {
  it('tells that its own loop detection has ended it', () => {
    expect(last(signalsOf(recorded('stream-loop.jsonl'), exited(0)))).toMatchObject({
      problem: 'Gemini CLI said: Loop detected, stopping execution',
    })
  })

  it('does not hold a warning against a turn that went on', () => {
    const warning = { type: 'error', severity: 'warning', message: 'Agent execution blocked: tests are red' }
    const lines = recorded('stream-done.jsonl')
    const signals = signalsOf([...lines.slice(0, 3), warning, ...lines.slice(3)], exited(0))
    expect(last(signals)).not.toHaveProperty('problem')
  })
})

describe('given a turn that ended with an error', () => {
  it('counts the turn where its own limit was reached', () => {
    expect(last(signalsOf(recorded('stream-turn-limit.jsonl'), exited(53)))).toMatchObject({
      problem: expect.stringContaining('Reached max session turns') as string,
      usage: { inputTokens: 2000 },
    })
  })

  it('fails for good where the key is wrong', () => {
    expect(last(signalsOf(recorded('stream-refused.jsonl'), exited(145)))).toMatchObject({
      failure: {
        kind: 'configuration',
        retryable: false,
        message: expect.stringContaining('bad key') as string,
      },
    })
  })

  it.each([
    ['[API Error: {"error":{"code":429,"message":"slow"}}]', '', 'rate-limited', true],
    ['[API Error: {"error":{"code":503,"message":"busy"}}]', '', 'server-error', true],
    ['[API Error: You have exhausted your daily quota on this model.]', '', 'usage-limited', true],
    ['[API Error: fetch failed]', '', 'network', true],
    ['[API Error: no model]', 'ModelNotFoundError: no model', 'configuration', false],
  ])('reads %s', (message, stderr, kind, retryable) => {
    const line = { type: 'result', status: 'error', error: { type: 'unknown', message } }
    expect(last(signalsOf([line], exited(1, stderr)))).toMatchObject({ failure: { kind, retryable } })
  })

  it('counts the turn where nobody can tell what it was', () => {
    const line = { type: 'result', status: 'error', error: { message: 'a tool wrote to a full disk' } }
    expect(last(signalsOf([line], exited(54)))).toMatchObject({
      problem: expect.stringContaining('full disk') as string,
    })
  })
})

describe('given a turn that ended without a result', () => {
  it.each([
    [41, 'not logged in'],
    [42, 'words'],
    [52, 'settings'],
    [55, '--skip-trust'],
  ])('fails for good at exit code %i and names the way out', (exitCode, way) => {
    expect(last(signalsOf([], exited(exitCode)))).toMatchObject({
      failure: { kind: 'configuration', retryable: false, message: expect.stringContaining(way) as string },
    })
  })

  it('begins anew where the session is gone', () => {
    const stderr = 'Error resuming session: Invalid session identifier "1".'
    expect(last(signalsOf([], exited(42, stderr)))).toMatchObject({ kind: 'session-lost' })
  })

  it('counts the turn of a process that was killed', () => {
    const killed: LinesEnd = {
      kind: 'signalled',
      exitCode: null,
      problem: 'it was killed by SIGKILL',
      stderrTail: '',
    }
    expect(last(signalsOf(recorded('stream-done.jsonl').slice(0, 4), killed))).toEqual({
      kind: 'turn-ended',
      text: '',
      problem: 'Gemini CLI did not finish its turn: it was killed by SIGKILL',
    })
  })

  it('fails for good where it has told nothing, and counts a turn that had begun', () => {
    expect(last(signalsOf([], exited(1, 'Unknown argument: nosuch')))).toMatchObject({
      failure: {
        kind: 'configuration',
        retryable: false,
        message: expect.stringContaining('Unknown argument: nosuch') as string,
      },
    })
    const begun = recorded('stream-done.jsonl').slice(0, 1)
    expect(last(signalsOf(begun, exited(1)))).toHaveProperty('problem')
  })

  it('fails where there is no such program', () => {
    const end: LinesEnd = {
      kind: 'not-started',
      exitCode: null,
      problem: 'there is no program "gemini"',
      stderrTail: '',
    }
    expect(last(signalsOf([], end))).toMatchObject({ failure: { kind: 'configuration' } })
  })
})

describe('given any lines at all', () => {
  it('throws at none of them, and believes no success without a result', () => {
    const type = fc.constantFrom('init', 'message', 'tool_use', 'tool_result', 'error', 'noise')
    const field = fc.constantFrom(
      'session_id',
      'role',
      'content',
      'tool_id',
      'parameters',
      'status',
      'message',
    )
    const line = fc.oneof(
      fc.jsonValue(),
      fc
        .tuple(type, fc.dictionary(field, fc.jsonValue()))
        .map(([value, fields]) => ({ ...fields, type: value })),
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const ended = last(signalsOf(lines as JsonValue[], exited(0)))
        expect(ended).toHaveProperty('problem')
      }),
    )
  })
})

describe('given what it tells on stderr while it asks its provider again', () => {
  const told = (line: string) => geminiTranslator().stderrLine?.(line)

  it.each([
    ['Attempt 1 failed. Retrying with backoff... Error: exception TypeError: fetch failed', 'network'],
    ['Attempt 2 failed with status 503. Retrying with backoff... _ApiError: {}', 'server-error'],
    ['Attempt 3 failed with status 429. Retrying with backoff... _ApiError: {}', 'rate-limited'],
  ])('%s', (line, kind) => {
    expect(told(line)).toMatchObject({ kind: 'retrying', failure: { kind, retryable: true } })
  })

  it('takes nothing else for that', () => {
    expect(told('YOLO mode is enabled.')).toBeUndefined()
  })
})
