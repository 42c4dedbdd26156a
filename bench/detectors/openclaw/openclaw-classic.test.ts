import { describe, expect, it } from 'vitest'
import { classicSession } from './openclaw-classic.ts'
import type { LoopConfig } from './limits.ts'
import type { ToolUse } from './records.ts'
import { detailed, feed, inWords, said, times, use, verdictAfter, type Scripted } from './scripted.ts'

const read = use('read', { path: 'a' })
const poll = use('process', { action: 'poll', id: 1 })
const alternating = (at: number): ToolUse => (at % 2 === 0 ? read : use('list', { path: '.' }))

function after(count: number, call: (at: number) => Scripted, config: LoopConfig = {}): string {
  return verdictAfter(classicSession({ enabled: true, ...config }), times(count, call), call(count))
}

describe('given the four detectors', () => {
  it('are off unless switched on', () => {
    expect(
      verdictAfter(
        classicSession({}),
        times(40, () => ({ ...read, ending: said('x') })),
        read,
      ),
    ).toBe('not stuck')
  })

  it.each<[string, number, (at: number) => Scripted, string]>([
    ['reads of different files', 15, (at) => use('read', { path: at }), 'not stuck'],
    ['9 calls', 9, () => read, 'not stuck'],
    ['10 calls', 10, () => read, 'warning generic_repeat 10'],
    [
      '29 same results: it only warns',
      29,
      () => ({ ...read, ending: said('x') }),
      'warning generic_repeat 29',
    ],
    ['30 same results', 30, () => ({ ...read, ending: said('x') }), 'critical global_circuit_breaker 30'],
    ['10 polls', 10, () => ({ ...poll, ending: said('x') }), 'warning known_poll_no_progress 10'],
    ['20 polls', 20, () => ({ ...poll, ending: said('x') }), 'critical known_poll_no_progress 20'],
    ['25 polls that differ', 25, (at) => ({ ...poll, ending: said(`${at}`) }), 'not stuck'],
    ['8 alternating calls', 8, alternating, 'not stuck'],
    ['9 alternating calls', 9, alternating, 'warning ping_pong 10'],
    [
      '19 with stable results',
      19,
      (at) => ({ ...alternating(at), ending: said('x') }),
      'critical ping_pong 20',
    ],
    [
      '19 with results that change',
      19,
      (at) => ({ ...alternating(at), ending: said(`${at}`) }),
      'warning ping_pong 20',
    ],
    [
      'a poll of which only other details differ',
      20,
      (at) => ({ ...poll, ending: detailed({ status: 'running', elapsedMs: at }) }),
      'critical known_poll_no_progress 20',
    ],
    [
      'a command of which only the duration differs',
      29,
      (at) => ({ ...use('exec'), ending: detailed({ status: 'completed', exitCode: 0, durationMs: at }) }),
      'warning generic_repeat 29',
    ],
    [
      'a tool that is not there',
      29,
      (at) => ({ ...use('frob', { at }), ending: { error: 'Unknown tool: frob' } }),
      'not stuck',
    ],
  ])('%s', (_, count, call, expected) => {
    expect(after(count, call)).toBe(expected)
  })

  it('one other call in the window puts the breaker out of reach', () => {
    const calls = [...times(29, () => ({ ...read, ending: said('x') })), use('list')]
    expect(verdictAfter(classicSession({ enabled: true }), calls, read)).toBe('warning generic_repeat 29')
  })

  it('runs do not matter', () => {
    const inRunA = times(10, () => ({ ...read, ids: { runId: 'a' } }))
    const probe = { ...read, ids: { runId: 'b' } }
    expect(verdictAfter(classicSession({ enabled: true }), inRunA, probe)).toBe('warning generic_repeat 10')
  })

  it('a call that is vetoed and not recorded freezes the streak', () => {
    const session = classicSession({ enabled: true })
    feed(
      session,
      times(20, () => ({ ...poll, ending: said('x') })),
    )
    const verdicts = times(50, () => poll).map((call) => inWords(session.detect(call)))
    expect(new Set(verdicts)).toEqual(new Set(['critical known_poll_no_progress 20']))
  })
})

describe('given its settings', () => {
  const same = (): Scripted => ({ ...poll, ending: said('x') })

  it.each<[string, LoopConfig, number, string]>([
    [
      'a history of 5 is enough for 5',
      { historySize: 5, warningThreshold: 2, criticalThreshold: 5 },
      20,
      'critical known_poll_no_progress 5',
    ],
    [
      'and puts 8 out of reach',
      { historySize: 5, warningThreshold: 2, criticalThreshold: 5, globalCircuitBreakerThreshold: 8 },
      20,
      'critical known_poll_no_progress 5',
    ],
    [
      'a history of 4 never reaches 5',
      { historySize: 4, warningThreshold: 2, criticalThreshold: 5 },
      20,
      'warning known_poll_no_progress 4',
    ],
    [
      'what is no count falls back',
      { warningThreshold: 0, criticalThreshold: 1.5 },
      10,
      'warning known_poll_no_progress 10',
    ],
    [
      'critical is at least one above warning',
      { warningThreshold: 6, criticalThreshold: 6 },
      6,
      'warning known_poll_no_progress 6',
    ],
    [
      'so it comes one later',
      { warningThreshold: 6, criticalThreshold: 6 },
      7,
      'critical known_poll_no_progress 7',
    ],
    [
      'and the breaker one above critical',
      { criticalThreshold: 20, globalCircuitBreakerThreshold: 20 },
      21,
      'critical global_circuit_breaker 21',
    ],
    ['a poll is nothing to the others', { detectors: { knownPollNoProgress: false } }, 29, 'not stuck'],
    [
      'but no switch turns off the breaker',
      { detectors: { knownPollNoProgress: false } },
      30,
      'critical global_circuit_breaker 30',
    ],
  ])('%s', (_, config, count, expected) => {
    expect(after(count, same, config)).toBe(expected)
  })

  it('each detector has its switch', () => {
    expect(after(20, () => read, { detectors: { genericRepeat: false } })).toBe('not stuck')
    const detectors = { pingPong: false, genericRepeat: false }
    expect(after(19, alternating, { detectors })).toBe('not stuck')
  })
})
