import { describe, expect, it } from 'vitest'
import { ask, inScriptedPlace } from './fixtures/scripted.ts'
import type { Act } from './fixtures/scripted-agent.ts'

describe('given the ways in which a turn may end', () => {
  it.each<readonly [string, Act, object]>([
    ['end_turn', { stop: 'end_turn' }, { kind: 'replied', finish: 'stop' }],
    ['max_tokens', { stop: 'max_tokens' }, { kind: 'replied', finish: 'length' }],
    [
      'refusal',
      { stop: 'refusal' },
      { finish: 'other', problem: expect.stringContaining('refused') as string },
    ],
    [
      'cancelled',
      { stop: 'cancelled' },
      { finish: 'other', problem: expect.stringContaining('cancelled') as string },
    ],
    [
      'max_turn_requests',
      { stop: 'max_turn_requests' },
      { finish: 'other', problem: expect.stringContaining('bound') as string },
    ],
    ['its death', { die: 3 }, { finish: 'other', problem: expect.stringContaining('exit code 3') as string }],
    [
      'an error of its provider',
      { fail: { code: 429, message: 'Rate limit exceeded. Try again later.' } },
      { kind: 'failed', failure: { kind: 'rate-limited', retryable: true } },
    ],
    [
      'an internal error',
      { fail: { code: -32_603, message: 'it broke' } },
      { kind: 'failed', failure: { kind: 'server-error', retryable: true } },
    ],
  ])('%s is what it is', async (_, act, expected) => {
    await inScriptedPlace(async (place) => {
      expect(
        await ask(place.agent({ turns: [[...('fail' in act ? [] : [{ say: 'Done.' }]), act]] })),
      ).toMatchObject(expected)
    })
  })
})
