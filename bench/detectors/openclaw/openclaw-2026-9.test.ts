import { describe, expect, it } from 'vitest'
import { argsHash2026, session2026 } from './openclaw-2026-9.ts'
import type { ToolUse } from './records.ts'
import { detailed, feed, inWords, said, times, use, verdictAfter, type Scripted } from './scripted.ts'

const enabled = () => session2026({ enabled: true })

/** `count` recorded calls, then one more like them. */
function after(count: number, call: (at: number) => Scripted): string {
  return verdictAfter(enabled(), times(count, call), call(count))
}

describe('given the facts of its own tests', () => {
  const read: ToolUse = use('read', { path: 'a' })
  const poll = use('process', { action: 'poll', id: 1 })
  const alternating = (at: number): ToolUse => (at % 2 === 0 ? read : use('list', { path: '.' }))

  it('is off unless switched on', () => {
    expect(
      verdictAfter(
        session2026({}),
        times(40, () => ({ ...read, ending: said('x') })),
        read,
      ),
    ).toBe('not stuck')
  })

  it.each<[string, number, (at: number) => Scripted, string]>([
    ['reads of different files', 15, (at) => use('read', { path: at }), 'not stuck'],
    ['9 calls', 9, () => read, 'not stuck'],
    ['10 calls', 10, () => read, 'warning generic_repeat 10'],
    ['19 same results', 19, () => ({ ...read, ending: said('x') }), 'warning generic_repeat 19'],
    ['20 same results', 20, () => ({ ...read, ending: said('x') }), 'critical generic_repeat 20'],
    ['9 polls', 9, () => ({ ...poll, ending: said('x') }), 'not stuck'],
    ['10 polls', 10, () => ({ ...poll, ending: said('x') }), 'warning known_poll_no_progress 10'],
    ['20 polls', 20, () => ({ ...poll, ending: said('x') }), 'critical known_poll_no_progress 20'],
    ['25 polls that differ', 25, (at) => ({ ...poll, ending: said(`${at}`) }), 'not stuck'],
    ['29 same results', 29, () => ({ ...read, ending: said('x') }), 'critical generic_repeat 29'],
    ['30 same results', 30, () => ({ ...read, ending: said('x') }), 'critical global_circuit_breaker 30'],
    ['8 alternating calls', 8, alternating, 'not stuck'],
    ['9 alternating calls', 9, alternating, 'warning ping_pong 10'],
    [
      '18 with stable results',
      18,
      (at) => ({ ...alternating(at), ending: said('x') }),
      'warning ping_pong 19',
    ],
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
    ['30 different writes', 30, (at) => ({ ...use('write', { path: at }), ending: said('ok') }), 'not stuck'],
    [
      '30 writes over 15 paths',
      30,
      (at) => ({ ...use('write', { path: at % 15 }), ending: said('ok') }),
      'not stuck',
    ],
  ])('%s', (_, count, call, expected) => {
    expect(after(count, call)).toBe(expected)
  })

  it('read, list, read, write and then list is no alternation', () => {
    const calls = ['read', 'list', 'read', 'write'].map((tool) => use(tool))
    expect(verdictAfter(enabled(), calls, use('list'))).toBe('not stuck')
  })

  it('keeps the last 30 of 40 calls: the first ten are gone', () => {
    const session = enabled()
    const early = times(10, () => ({ ...read, ending: said('x') }))
    feed(session, [...early, ...times(30, (at) => use('list', { at }))])
    expect(session.size()).toBe(30)
    expect(inWords(session.detect(read))).toBe('not stuck')
  })
})

describe('given runs', () => {
  const read = use('read', { path: 'a' })
  const inRunA = times(10, () => ({ ...read, ids: { runId: 'a' } }))

  it.each([
    ['another run', 'b', 'not stuck'],
    ['no run', undefined, 'not stuck'],
    ['a blank run', ' ', 'not stuck'],
    ['the same run', 'a', 'warning generic_repeat 10'],
    ['the same run in spaces', ' a ', 'warning generic_repeat 10'],
  ])('%s', (_, runId, expected) => {
    expect(verdictAfter(enabled(), inRunA, { ...read, ids: { runId } })).toBe(expected)
  })

  it('adds an outcome that has the id of a call of another run as a call of its own', () => {
    const session = enabled()
    const toolCallId = 'call 1'
    session.recordCall(read, { toolCallId, runId: 'a' })
    session.recordOutcome(read, said('x'), { toolCallId, runId: 'b' })
    expect(session.size()).toBe(2)
    session.recordOutcome(read, said('x'), { toolCallId, runId: 'a' })
    expect(session.size()).toBe(2)
  })
})

describe('given the tool exec', () => {
  const exec = use('exec', { command: 'make' })

  it.each<[string, (at: number) => Scripted, string]>([
    [
      'done, only duration and folder differ',
      (at) => ({
        ...exec,
        ending: detailed({ status: 'completed', exitCode: 0, aggregated: 'ok', at, cwd: at }),
      }),
      'critical generic_repeat 20',
    ],
    [
      'running with the same tail, session and text differ',
      (at) => ({
        ...exec,
        ending: detailed({ status: 'running', tail: 'x', sessionId: at, pid: at }, `pid ${at}`),
      }),
      'critical generic_repeat 20',
    ],
    [
      'output that changes',
      (at) => ({ ...exec, ending: detailed({ status: 'completed', exitCode: 0, aggregated: `${at}` }) }),
      'warning generic_repeat 20',
    ],
    [
      'failed, nothing collected and the text changes',
      (at) => ({
        ...exec,
        ending: detailed({ status: 'failed', exitCode: 1, aggregated: '' }, `words ${at}`),
      }),
      'warning generic_repeat 20',
    ],
  ])('%s', (_, call, expected) => {
    expect(after(20, call)).toBe(expected)
  })
})

describe('given tools that are not there', () => {
  const missing = (at: number): Scripted => ({
    ...use('frob', { at }),
    ending: { error: 'Unknown tool: frob' },
  })

  it.each([
    [9, 'not stuck'],
    [10, 'critical unknown_tool_repeat 10'],
    [20, 'critical unknown_tool_repeat 20'],
  ])('after %i failures with any arguments says %s', (count, expected) => {
    expect(after(count, missing)).toBe(expected)
  })
})

describe('given messages that are sent', () => {
  const fresh = (at: number) => detailed({ messageId: `m${at}`, fileId: at, to: 'room' }, `sent m${at}`)

  it.each(['send', 'reply', 'broadcast', 'poll', 'upload-file'])(
    'message %s with fresh ids is a repeat',
    (action) => {
      expect(after(20, (at) => ({ ...use('message', { action }), ending: fresh(at) }))).toBe(
        'critical generic_repeat 20',
      )
    },
  )

  it('so is sessions_send, and a docked tool of which it is known that it sends', () => {
    expect(after(20, (at) => ({ ...use('sessions_send'), ending: fresh(at) }))).toBe(
      'critical generic_repeat 20',
    )
    const session = session2026({ enabled: true, isDockedSend: ({ toolName }) => toolName === 'docked' })
    const docked = times(20, (at) => ({ ...use('docked'), ending: fresh(at) }))
    expect(verdictAfter(session, docked, use('docked'))).toBe('critical generic_repeat 20')
  })

  it.each(['read', 'channel-create'])('message %s is not: another id is another answer', (action) => {
    expect(after(20, (at) => ({ ...use('message', { action }), ending: fresh(at) }))).toBe(
      'warning generic_repeat 20',
    )
  })

  it('other texts are other calls', () => {
    expect(after(20, (at) => ({ ...use('message', { action: 'send', text: at }), ending: fresh(at) }))).toBe(
      'not stuck',
    )
  })

  it('another route is another result', () => {
    const elsewhere = (at: number): Scripted => ({
      ...use('message', { action: 'send' }),
      ending: detailed({ conversation: { id: `room ${at}` } }),
    })
    expect(after(29, elsewhere)).toBe('warning generic_repeat 29')
  })
})

describe('given denials', () => {
  const send = use('message', { action: 'send' })
  const denied = (deniedReason: string) => detailed({ status: 'blocked', deniedReason })

  it('its own veto keeps the streak and counts', () => {
    const sent = times(20, () => ({ ...send, ending: said('ok') }))
    const vetoed = { ...send, ending: denied('tool-loop') }
    expect(verdictAfter(enabled(), [...sent, vetoed], send)).toBe('critical generic_repeat 21')
    expect(verdictAfter(enabled(), [...sent, vetoed, ...sent.slice(0, 1)], send)).toBe(
      'critical generic_repeat 22',
    )
  })

  it.each(['plugin', 'approval'])('equal denials by %s are equal results', (reason) => {
    expect(after(20, () => ({ ...send, ending: denied(reason) }))).toBe('critical generic_repeat 20')
  })
})

describe('given arguments', () => {
  const hashOf = (params: unknown) => argsHash2026(use('read', params))

  it('the order of keys does not matter', () => {
    expect(hashOf({ a: 1, b: { c: 2, d: 3 } })).toBe(hashOf({ b: { d: 3, c: 2 }, a: 1 }))
  })

  it('long ones come to a hash of the same length', () => {
    expect(hashOf({ text: 'x'.repeat(20_000) })).toHaveLength('read:'.length + 64)
  })

  it('a cycle and a shared part are written out', () => {
    const cyclic = (): object => {
      const shared = { x: 1 }
      const root: Record<string, unknown> = { one: shared, other: shared }
      root['self'] = root
      return root
    }
    expect(hashOf(cyclic())).toBe(hashOf(cyclic()))
    expect(hashOf(cyclic())).not.toBe(hashOf({ one: { x: 1 }, other: { x: 1 } }))
  })

  it.each<[string, unknown, unknown]>([
    ['a date and a map', { a: new Date(0) }, { a: new Map([[1, 2]]) }],
    ['NaN and its name', { a: Number.NaN }, { a: 'NaN' }],
    ['a bigint and its digits', { a: 5n }, { a: '5' }],
  ])('%s are the same to it', (_, one, other) => {
    expect(hashOf(one)).toBe(hashOf(other))
  })

  it('an undefined field and no field are not', () => {
    expect(hashOf({ a: undefined })).not.toBe(hashOf({}))
  })
})

describe('given arguments that are churned', () => {
  const failing = (params: unknown): Scripted => ({
    ...use('write', params),
    ending: detailed({ changed: false }),
  })
  const round = (variants: number, calls: number) => times(calls, (at) => failing({ at: at % variants }))

  it.each([
    [2, 9, 'not stuck'],
    [3, 9, 'not stuck'],
    [3, 10, 'warning argument_churn 10'],
    [3, 12, 'warning argument_churn 12'],
    [4, 12, 'warning argument_churn 12'],
    [5, 14, 'not stuck'],
    [5, 15, 'warning argument_churn 15'],
  ])('%i variants over %i calls: %s', (variants, calls, expected) => {
    const probe = failing({ at: 0 })
    const words = verdictAfter(enabled(), round(variants, calls), probe)
    expect(words.startsWith('warning ping_pong') ? 'ping pong' : words).toBe(expected)
  })

  it('says so beside an alternation', () => {
    const session = enabled()
    feed(session, round(2, 12))
    expect(session.detect(failing({ at: 0 }))).toMatchObject({
      detector: 'ping_pong',
      count: 13,
      livenessSignal: 'argument_churn',
    })
  })

  it('needs the current arguments among them', () => {
    expect(verdictAfter(enabled(), round(3, 12), failing({ at: 'new' }))).toBe('not stuck')
  })
})
