import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../events/index.ts'
import { pauses, waits } from './calls.ts'

describe('given a call', () => {
  it.each([
    ['sleep', {}],
    ['Wait', {}],
    ['BashOutput', { bash_id: '1' }],
    ['check_status', {}],
    ['process', { action: 'poll', id: 1 }],
    ['run_shell', { command: 'sleep 30' }],
    ['run_shell', { command: 'cd x && sleep 5; cat log' }],
    ['bash', { cmd: 'timeout 60 tail -f server.log' }],
  ] as readonly (readonly [string, JsonValue])[])('%s %j waits', (tool, args) => {
    expect(waits(tool, args, undefined)).toBe(true)
  })

  it.each([
    ['read_file', { path: 'sleep 30' }],
    ['run_shell', { command: 'npm test' }],
    ['run_shell', { command: 'cat sleep.txt waiting.txt' }],
    ['process', { action: 'write' }],
    ['waiter_list', {}],
    ['run_shell', 'sleep 30'],
    ['run_shell', null],
    ['run_shell', ['sleep 30']],
    ['run_shell', { command: 3 }],
  ] as readonly (readonly [string, JsonValue])[])('%s %j does not', (tool, args) => {
    expect(waits(tool, args, undefined)).toBe(false)
  })

  it('the user knows better', () => {
    expect(waits('sleep', {}, { poll: false })).toBe(false)
    expect(waits('deploy', {}, { poll: true })).toBe(true)
    expect(waits('sleep', {}, { readOnly: true })).toBe(true)
  })
})

describe('given a call that may let time pass', () => {
  it.each([
    ['sleep', {}, true],
    ['run_shell', { command: 'sleep 30' }, true],
    ['run_shell', { command: 'sleep $SECONDS_LEFT && cat log' }, true],
    ['python', { code: 'import time; time.sleep(30)' }, true],
    ['check_status', {}, false],
    ['run_shell', { command: 'echo asleep 3' }, false],
  ] as const)('%s %j: %s, where nobody has looked at the time', (tool, args, expected) => {
    expect(pauses(tool, args, undefined)).toBe(expected)
  })

  it.each([
    [4999, false],
    [5000, true],
  ])('what took %i ms: %s, whatever it was', (durationMs, expected) => {
    expect(pauses('check_status', {}, durationMs)).toBe(expected)
    expect(pauses('sleep', {}, durationMs)).toBe(expected)
  })
})
