import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentSignal, LinesEnd } from '../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/internal/events'
import { ClaudeSpending } from './spending.ts'
import { ClaudeTranslator } from './translate-stream.ts'

const exited: LinesEnd = { kind: 'exited', exitCode: 0, problem: 'it ended with exit code 0', stderrTail: '' }
const silence: readonly string[] = []

function recorded(name: string): readonly JsonValue[] {
  const text = readFileSync(new URL(`fixtures/stream-${name}.jsonl`, import.meta.url), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonValue)
}

function translated(lines: readonly JsonValue[], end: LinesEnd = exited): readonly AgentSignal[] {
  const spending = new ClaudeSpending()
  spending.beginTurn()
  const translator = new ClaudeTranslator(spending)
  return [...lines.flatMap((line) => [...translator.line(line)]), translator.end(end, silence)]
}

function ofKind<Kind extends AgentSignal['kind']>(signals: readonly AgentSignal[], kind: Kind) {
  return signals.filter((signal): signal is Extract<AgentSignal, { kind: Kind }> => signal.kind === kind)
}

function inputTokens(signals: readonly AgentSignal[]): number {
  const reported = signals.map((signal) =>
    signal.kind === 'step' || signal.kind === 'turn-ended' ? (signal.usage?.inputTokens ?? 0) : 0,
  )
  return reported.reduce((total, count) => total + count, 0)
}

describe('given a recorded turn with calls', () => {
  const signals = translated(recorded('calls'))

  it('tells session, words, calls with their effects, steps, ends of calls and the end, in order', () => {
    expect(
      signals.map((signal) => (signal.kind === 'call' ? `${signal.tool} ${signal.effect}` : signal.kind)),
    ).toEqual([
      'session',
      'text',
      'Bash execute',
      'Read read',
      'step',
      'call-ended',
      'call-ended',
      'Write write',
      'step',
      'call-ended',
      'Bash execute',
      'step',
      'call-ended',
      'text',
      'step',
      'turn-ended',
    ])
  })
})

describe('given a recorded turn with a sub-agent', () => {
  const signals = translated(recorded('subagent'))

  it('tells of the calls of the sub-agent as well', () => {
    const calls = ofKind(signals, 'call')
    expect(calls.map(({ tool, holdsOthers }) => [tool, holdsOthers])).toEqual([
      ['Task', true],
      ['Bash', undefined],
    ])
    const ended = ofKind(signals, 'call-ended').map(({ callId }) => callId)
    expect(calls.every(({ callId }) => ended.includes(callId))).toBe(true)
  })

  it('is over only when what works in the background has been answered', () => {
    const lines = recorded('subagent')
    const translator = new ClaudeTranslator(new ClaudeSpending())
    const isOver = lines.map((line) => {
      for (const signal of translator.line(line)) expect(signal.kind).not.toBe('turn-ended')
      return translator.isOver
    })
    expect(isOver.at(-1)).toBe(true)
    expect(isOver.indexOf(true)).toBeGreaterThan(lines.length - 3)
  })
})

describe('given the end of a turn', () => {
  const failed: LinesEnd = { ...exited, exitCode: 1, problem: 'it ended with exit code 1' }

  it('is a failure where the provider refused, whatever it is called', () => {
    expect(translated(recorded('refused'), failed).at(-1)).toMatchObject({
      failure: { kind: 'refused', message: 'Claude Code: API Error: 400 bad request', retryable: false },
    })
  })

  const result = {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'Done.',
    terminal_reason: 'completed',
    total_cost_usd: 0,
  }
  const init = { type: 'system', subtype: 'init', session_id: 's' }

  it.each([
    [{ terminal_reason: 'stop_hook_prevented' }, 'it ended by stop_hook_prevented'],
    [{ terminal_reason: 'hook_stopped' }, 'it ended by hook_stopped'],
    [{ is_error: true, result: 'Strange.' }, 'it ended with an error: Strange.'],
    [{ subtype: 'error_max_budget_usd', result: 'x' }, 'it ended with error_max_budget_usd'],
    [{ result: undefined }, 'it ended without a last word'],
    [{ subtype: 'something_new' }, 'it ended with something_new'],
    [
      { result: '', permission_denials: [{ tool_name: 'Bash' }] },
      'it ended without a last word, after it was denied Bash',
    ],
  ])('is no claim with %j', (changes, problem) => {
    const line = JSON.parse(JSON.stringify({ ...result, ...changes })) as JsonValue
    expect(translated([init, line]).at(-1)).toMatchObject({ problem })
  })

  it.each([
    [429, 'rate-limited', true],
    [529, 'server-error', true],
    [500, 'server-error', true],
    [401, 'configuration', false],
    [400, 'refused', false],
  ] as const)('is a failure where the provider answered %d', (status, kind, retryable) => {
    const line = { ...result, is_error: true, api_error_status: status, result: `API Error: ${status}` }
    expect(translated([init, line]).at(-1)).toMatchObject({ failure: { kind, retryable } })
  })

  it.each([
    ['API Error: Connection error.', 'network'],
    ['Not logged in · Please run /login', 'configuration'],
  ])('knows %s for a failure', (text, kind) => {
    expect(translated([init, { ...result, is_error: true, result: text }]).at(-1)).toMatchObject({
      failure: { kind },
    })
  })

  it('is a problem where it was killed', () => {
    const killed: LinesEnd = {
      ...exited,
      kind: 'signalled',
      exitCode: null,
      problem: 'it was killed by SIGKILL',
    }
    expect(translated([init], killed).at(-1)).toMatchObject({
      problem: 'Claude Code said nothing of the end of its turn: it was killed by SIGKILL',
    })
  })

  it('is a failure where it never began', () => {
    const unknown = {
      ...failed,
      problem: `it ended with exit code 1; the end of its stderr: error: unknown option`,
    }
    expect(translated([], unknown).at(-1)).toMatchObject({
      failure: { kind: 'configuration', retryable: false },
    })
    const missing: LinesEnd = {
      ...exited,
      kind: 'not-started',
      exitCode: null,
      problem: 'there is no program "claude"',
    }
    expect(translated([], missing).at(-1)).toMatchObject({ failure: { kind: 'configuration' } })
  })

  it.each(['No conversation found with session ID: s', 'Error: Session ID s is already in use.'])(
    'tells of a lost session: %s',
    (said) => {
      expect(translated([], { ...failed, stderrTail: said }).at(-1)).toEqual({
        kind: 'session-lost',
        message: said,
      })
    },
  )
})

describe('given lines of any shape', () => {
  it('never throws, and ends', () => {
    const lines = recorded('subagent')
    const spoiled = fc.constantFrom(...lines).chain((line) => spoil(line))
    fc.assert(
      fc.property(fc.array(fc.oneof(spoiled, fc.jsonValue() as fc.Arbitrary<JsonValue>)), (given) => {
        const signals = translated(given)
        expect(signals.at(-1)?.kind).toBe('turn-ended')
        expect(inputTokens(signals)).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

/** One value somewhere in it is another one. */
function spoil(line: JsonValue): fc.Arbitrary<JsonValue> {
  if (typeof line !== 'object' || line === null) return fc.jsonValue() as fc.Arbitrary<JsonValue>
  const keys = Object.keys(line)
  if (keys.length === 0) return fc.constant(line)
  return fc.constantFrom(...keys).chain((key) => {
    const inner = (line as Readonly<Record<string, JsonValue>>)[key] ?? null
    return fc
      .oneof(fc.jsonValue() as fc.Arbitrary<JsonValue>, spoil(inner))
      .map((value) => ({ ...(line as Readonly<Record<string, JsonValue>>), [key]: value }))
  })
}
