/** What Claude Code tells of a provider that refuses it, as signals. */
import { describe, expect, it } from 'vitest'
import type { AgentSignal, LinesEnd } from '../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/internal/events'
import { ClaudeSpending } from './spending.ts'
import { ClaudeTranslator } from './translate-stream.ts'

const exited: LinesEnd = { kind: 'exited', exitCode: 0, problem: 'it ended with exit code 0', stderrTail: '' }

function translated(lines: readonly JsonValue[]): readonly AgentSignal[] {
  const spending = new ClaudeSpending()
  spending.beginTurn()
  const translator = new ClaudeTranslator(spending)
  const end = () => translator.end(exited, [])
  return [...lines.flatMap((line) => [...translator.line(line)]), end()]
}

function ofKind<Kind extends AgentSignal['kind']>(signals: readonly AgentSignal[], kind: Kind) {
  return signals.filter((signal): signal is Extract<AgentSignal, { kind: Kind }> => signal.kind === kind)
}

describe('given a provider that refuses', () => {
  const begun = { type: 'system', subtype: 'init', session_id: 's', model: 'm' }
  const ended = (text: string, more: Readonly<Record<string, JsonValue>> = {}): JsonValue => ({
    ...{ type: 'result', subtype: 'success', is_error: true, terminal_reason: 'api_error', result: text },
    ...more,
  })
  const failureIn = (...lines: readonly JsonValue[]) =>
    ofKind(translated([begun, ...lines]), 'turn-ended').at(-1)?.failure

  it('is limited until the time that it is told, and what it made of that is no word of the model', () => {
    const words = "You've hit your 5-hour limit · resets 9:39pm (UTC)"
    const said = {
      type: 'assistant',
      error: 'rate_limit',
      message: { content: [{ type: 'text', text: words }] },
    }
    const event = {
      type: 'rate_limit_event',
      rate_limit_info: { status: 'rejected', resetsAt: 1_795_988_364, rateLimitType: 'five_hour' },
    }
    const signals = translated([begun, event, said, ended(words, { api_error_status: 429 })])
    expect(ofKind(signals, 'text')).toEqual([])
    expect(ofKind(signals, 'turn-ended')).toMatchObject([
      { text: '', failure: { kind: 'usage-limited', retryable: true, resetsAtMs: 1_795_988_364_000 } },
    ])
  })

  it.each([
    ['Invalid API key · Fix external API key', 401, 'configuration', false],
    ["There's an issue with the selected model", 404, 'configuration', false],
    ['API Error: Connection refused', undefined, 'network', true],
    ['API Error: something else', undefined, 'server-error', true],
  ])('%s is a failure, and no reply', (text, status, kind, retryable) => {
    const more = status === undefined ? {} : { api_error_status: status }
    expect(failureIn(ended(text, more))).toMatchObject({ kind, retryable })
  })
})
