/** What was measured on the real release: the numbers of the calls at which each level is first reached. */
import { describe, expect, it } from 'vitest'
import { session2026 } from './openclaw-2026-9.ts'
import { detailed, firstCalls, said, times, use, type Scripted } from './scripted.ts'

const calls = 40

const read = use('read', { path: 'a' })
const exec = (command: string, details: object): Scripted => ({
  ...use('exec', { command }),
  ending: detailed({ status: 'completed', ...details }),
})

const cases = {
  'same call, same result': () => ({ ...read, ending: said('x') }),
  'same call, changing result': (at) => ({ ...read, ending: said(`${at}`) }),
  'poll without progress': () => ({ ...use('command_status'), ending: said('x') }),
  'A and B, stable': (at) => ({ ...use('read', { path: at % 2 }), ending: said('x') }),
  'A and B, changing': (at) => ({ ...use('read', { path: at % 2 }), ending: said(`${at}`) }),
  'unknown tool, other arguments': (at) => ({
    ...use('frob', { at }),
    ending: { error: 'tool frob not found' },
  }),
  'command fails, other arguments, same output': (at) =>
    exec(`make ${at}`, { exitCode: 1, aggregated: 'no rule' }),
  'command fails, only a time differs': (at) =>
    exec('make', { exitCode: 1, aggregated: `failed at 2026-01-01 10:00:${10 + at}` }),
  'calls without outcome': () => read,
} satisfies Record<string, (at: number) => Scripted>

type CaseName = keyof typeof cases

const warned = { 'warning generic_repeat': 11 }

const expected: Record<CaseName, Readonly<Record<string, number>>> = {
  'same call, same result': {
    ...warned,
    'critical generic_repeat': 21,
    'critical global_circuit_breaker': 31,
  },
  'same call, changing result': warned,
  'poll without progress': {
    'warning known_poll_no_progress': 11,
    'critical known_poll_no_progress': 21,
    'critical global_circuit_breaker': 31,
  },
  'A and B, stable': { 'warning ping_pong': 10, 'critical ping_pong': 20 },
  'A and B, changing': { 'warning ping_pong': 10 },
  'unknown tool, other arguments': { 'critical unknown_tool_repeat': 11 },
  'command fails, other arguments, same output': {
    'critical generic_repeat': 21,
    'critical global_circuit_breaker': 31,
  },
  'command fails, only a time differs': {
    ...warned,
    'critical generic_repeat': 21,
    'critical global_circuit_breaker': 31,
  },
  'calls without outcome': warned,
}

describe('given the releases 2026.8.2 to 2026.9.6', () => {
  it.each(Object.entries(cases))('%s', (name, call: (at: number) => Scripted) => {
    const said = firstCalls(session2026({ enabled: true }), times(calls, call))
    expect([name, said]).toEqual(Object.entries(expected).find(([known]) => known === name))
  })
})
