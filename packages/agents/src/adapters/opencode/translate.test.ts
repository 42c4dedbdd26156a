import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentSignal, LinesEnd } from '../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import { opencodeTranslator } from './index.ts'

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
  const translator = opencodeTranslator()
  const signals = lines.flatMap((line) => [...translator.line(line)])
  return [...signals, translator.end(end, { lines: 0, last: [] })].filter(({ kind }) => kind !== 'session')
}

const last = (signals: readonly AgentSignal[]): AgentSignal | undefined => signals.at(-1)

describe('given a recorded turn that ended by itself', () => {
  const lines = recorded('stream-done.jsonl')
  const signals = signalsOf(lines, exited(0))

  it('tells words, calls with their ends, and what each reply has used', () => {
    expect(signals.map(({ kind }) => kind)).toEqual([
      ...['text', 'call', 'call-ended', 'step'],
      ...['text', 'call', 'call-ended', 'call', 'call-ended', 'step'],
      ...['text', 'step', 'turn-ended'],
    ])
    expect(last(signals)).toEqual({ kind: 'turn-ended', text: '' })
  })
})

describe('given a turn that ended with an error', () => {
  it('fails for good where the key is wrong', () => {
    expect(last(signalsOf(recorded('stream-refused.jsonl'), exited(1)))).toMatchObject({
      failure: {
        kind: 'configuration',
        retryable: false,
        message: expect.stringContaining('bad key') as string,
      },
    })
  })
})

describe('given any lines at all', () => {
  it('throws at none of them, and claims nothing without a last step', () => {
    const type = fc.constantFrom('step_start', 'text', 'tool_use', 'error', 'noise')
    const field = fc.constantFrom('sessionID', 'part', 'error')
    const line = fc.oneof(
      fc.jsonValue(),
      fc
        .tuple(type, fc.dictionary(field, fc.jsonValue()))
        .map(([value, fields]) => ({ ...fields, type: value })),
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const ended = last(signalsOf(lines as JsonValue[], exited(0)))
        expect(ended !== undefined && ('problem' in ended || 'failure' in ended)).toBe(true)
      }),
    )
  })
})
