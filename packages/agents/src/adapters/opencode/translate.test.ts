import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentSignal, LinesEnd } from '../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import { opencodeTranslator } from './translate.ts'

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

  it('names the session with the first line', () => {
    expect([...opencodeTranslator().line(lines[0] ?? null)]).toEqual([
      { kind: 'session', id: expect.stringMatching(/^ses_/) as string },
    ])
  })

  it('says what a call does and what became of it', () => {
    expect(signals[1]).toMatchObject({ tool: 'bash', args: { command: 'ls' }, effect: 'execute' })
    expect(signals).toContainEqual(
      expect.objectContaining({
        status: 'error',
        output: expect.stringContaining('File not found') as string,
      }),
    )
  })

  it('counts what came from the cache as input too', () => {
    expect(signals[3]).toEqual({
      kind: 'step',
      usage: {
        inputTokens: 1100,
        outputTokens: 50,
        cachedInputTokens: 100,
        reasoningTokens: 0,
        estimated: false,
      },
      costUsd: 0.003_78,
    })
  })
})

describe('given an exit code of 0 that is no claim', () => {
  it('tells what was refused, without colours', () => {
    const stderr = '\u001B[93m\u001B[1m! \u001B[0mpermission requested: bash (rm x); auto-rejecting\n'
    const ended = last(signalsOf(recorded('stream-denied.jsonl'), exited(0, stderr)))
    expect(ended).toMatchObject({
      problem:
        'opencode ended its turn after a call, without an answer; it said: ! permission requested: bash (rm x); auto-rejecting',
    })
  })

  it('tells a reply that was cut off', () => {
    const line = { type: 'step_finish', part: { reason: 'length' } }
    expect(last(signalsOf([line], exited(0)))).toMatchObject({ wasCutOff: true })
  })

  it.each([[[]], [[{ type: 'step_finish', part: { reason: 'content-filter' } }]]])(
    'is a problem after %j',
    (lines) => {
      expect(last(signalsOf(lines, exited(0)))).toHaveProperty('problem')
    },
  )
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

  it('counts the turn where nobody can tell what it was', () => {
    const line = { type: 'error', error: { name: 'UnknownError', data: { message: 'see the logs' } } }
    expect(last(signalsOf([line], exited(1)))).toMatchObject({
      problem: 'opencode ended its turn with UnknownError: see the logs',
    })
  })

  it('does not hold an error against a turn that went on', () => {
    const line = { type: 'error', error: { name: 'ContextOverflowError', data: { message: 'too long' } } }
    expect(last(signalsOf([line, ...recorded('stream-done.jsonl')], exited(0)))).toEqual({
      kind: 'turn-ended',
      text: '',
    })
  })

  it('begins anew where the session is gone', () => {
    expect(last(signalsOf([], exited(1, 'Error: Session not found')))).toMatchObject({ kind: 'session-lost' })
  })

  it('does not take those words of a session that it has worked in', () => {
    const ended = last(signalsOf(recorded('stream-done.jsonl'), exited(1, 'grep: Session not found')))
    expect(ended).toMatchObject({
      kind: 'turn-ended',
      problem: expect.stringContaining('exit code 1') as string,
    })
  })

  it('fails for good where it has told nothing: it does not take its words, or its settings', () => {
    expect(last(signalsOf([], exited(1, 'Unknown argument: nosuch')))).toMatchObject({
      failure: {
        kind: 'configuration',
        retryable: false,
        message: expect.stringContaining('Unknown argument: nosuch') as string,
      },
    })
    const killed: LinesEnd = { ...exited(0), kind: 'signalled', exitCode: null, problem: 'it was killed' }
    expect(last(signalsOf([], killed))).toHaveProperty('problem')
  })

  it('fails where there is no such program', () => {
    const end: LinesEnd = {
      kind: 'not-started',
      exitCode: null,
      problem: 'there is no program',
      stderrTail: '',
    }
    expect(last(signalsOf([], end))).toMatchObject({ failure: { kind: 'configuration' } })
  })
})

describe('given what opencode says in the name of its user', () => {
  it('is not taken for the words of the model', () => {
    const line = {
      type: 'text',
      part: { type: 'text', synthetic: true, text: 'Continue if you have next steps.' },
    }
    expect(signalsOf([line], exited(0)).map(({ kind }) => kind)).toEqual(['turn-ended'])
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

describe('given what it logs while it asks its provider again', () => {
  const told = (line: string) => opencodeTranslator().stderrLine?.(line)
  const logged = (error: string, small = false) =>
    `timestamp=2026-11-29T21:38:16.840Z level=ERROR run=b1 message="stream error" session.id=ses_1 small=${small} agent=build error.error="${error}"`

  it.each([
    ['AI_APICallError: Cannot connect to API: Unable to connect.', 'network'],
    ['AI_APICallError: Too Many Requests', 'rate-limited'],
    ['AI_APICallError: You have reached your usage limit', 'usage-limited'],
    ['AI_APICallError: Overloaded', 'server-error'],
  ])('%s', (error, kind) => {
    expect(told(logged(error))).toMatchObject({ kind: 'retrying', failure: { kind, retryable: true } })
  })

  it('takes neither the model of its titles nor another line for that', () => {
    expect(told(logged('AI_APICallError: Overloaded', true))).toBeUndefined()
    expect(told('anything else')).toBeUndefined()
  })
})
