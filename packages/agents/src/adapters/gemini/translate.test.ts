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
})

describe('given a turn that ended with an error', () => {
  it('fails for good where the key is wrong', () => {
    expect(last(signalsOf(recorded('stream-refused.jsonl'), exited(145)))).toMatchObject({
      failure: {
        kind: 'configuration',
        retryable: false,
        message: expect.stringContaining('bad key') as string,
      },
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
