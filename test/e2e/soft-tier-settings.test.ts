/** A setting of the soft tier that can never fire, or means nothing, is refused before the run begins, with the reason. */
import { describe, expect, it } from 'vitest'
import { inPlace } from './donecheck.ts'

describe('given settings that make no sense', () => {
  const wrong: readonly (readonly [string, object, RegExp])[] = [
    [
      'a threshold that the history cannot hold',
      { loopDetection: { criticalThreshold: 40, globalCircuitBreakerThreshold: 60 } },
      /criticalThreshold \(40\) can never be reached: historySize \(30\) .*raise historySize/,
    ],
    [
      'a refusal before the warning',
      { loopDetection: { warningThreshold: 20 } },
      /warningThreshold \(20\) must be below criticalThreshold \(20\)/,
    ],
    [
      'a breaker that comes before the others',
      { loopDetection: { globalCircuitBreakerThreshold: 20 } },
      /criticalThreshold \(20\) must be below globalCircuitBreakerThreshold \(20\)/,
    ],
    [
      'a detector that does not exist',
      { loopDetection: { detectors: { pingpong: 'off' } } },
      /pingpong.*loopDetection\.detectors.*ping_pong/,
    ],
    [
      'more equal answers than are looked at',
      { loopDetection: { repeatedReplyThreshold: 16 } },
      /repeatedReplyThreshold \(16\) can never be reached: the latest 15 replies are kept/,
    ],
    [
      'a warm-up that outlasts the breaker',
      { loopDetection: { warmUpCalls: 31 } },
      /warmUpCalls \(31\) must not be above globalCircuitBreakerThreshold \(30\)/,
    ],
    [
      'a detector that is on among all that are off',
      { loopDetection: { mode: 'off', detectors: { cycle: 'on' } } },
      /detectors\.cycle \(on\) can never fire: mode is off/,
    ],
    [
      'a share of work in hand that nothing is counted by',
      { stagnation: { changesPerClaim: 0 } },
      /changesPerClaim must be at least 1, not 0/,
    ],
    [
      'a token budget of an agent that does not report its tokens',
      { tokenBudget: 20_000 },
      /tokenBudget: .* does not report its tokens, so no budget is ever used up/,
    ],
    [
      'an epsilon that no score can exceed',
      { stagnation: { epsilonScore: 1 } },
      /epsilonScore must be less than 1, not 1/,
    ],
    [
      'a token budget that the cap on tokens makes unreachable',
      { tokenBudget: 200_000_000 },
      /budgetTokens is 200000000.*cap on tokens is \d+/,
    ],
  ]

  it.each(wrong)('%s: then that is exit 2, with the reason', async (_, settings, reason) => {
    await inPlace({ 'donecheck.config.json': JSON.stringify(settings) }, async (place) => {
      const ended = await place.run(['run', '--until', 'false', '--agent', 'true', 'Work.'])
      expect(ended.stderr).toMatch(reason)
      expect(ended.stderr).not.toContain('    at ')
      expect(ended.exitCode).toBe(2)
    })
  })
})
