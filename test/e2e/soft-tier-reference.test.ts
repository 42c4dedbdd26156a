/** The reference has a section for every detector, and says the defaults that hold. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { standardLoopDetection } from '@donecheck/core/detectors'
import { standardStagnation } from '@donecheck/core/soft-verifiers'
import { detectorNames } from '@donecheck/core/settings'
import { describe, expect, it } from 'vitest'

const reference = readFileSync(
  fileURLToPath(new URL('../../docs/reference/detectors.md', import.meta.url)),
  'utf8',
)
const sections = new Map(
  reference.split(/^## /m).map((section) => [section.split('\n')[0] ?? '', section] as const),
)

describe('given the reference of the detectors', () => {
  it.each(detectorNames)(
    '%s: then it says what it does by default, what is told, and how it is off',
    (name) => {
      const section = sections.get(name) ?? ''
      for (const part of ['**Default:**', '**Told:**', '**Off:**', `detectors: { ${name}: 'off' }`])
        expect(section).toContain(part)
    },
  )

  it('then the defaults are those that hold', () => {
    const told = [...reference.matchAll(/^\| `(\w+)` +\| `?([\w-]+|\{\})`? +\|/gm)].map(
      ([, name = '', value = '']) => [name, value] as const,
    )
    const settings = standardLoopDetection
    const expected = {
      mode: settings.mode,
      detectors: JSON.stringify(settings.detectors),
      historySize: settings.historyCalls,
      warningThreshold: settings.warningCalls,
      criticalThreshold: settings.criticalCalls,
      repeatCounts: settings.repeatCounts,
      globalCircuitBreakerThreshold: settings.breakerCalls,
      circuitBreakerCounts: settings.breakerCounts,
      warmUpCalls: settings.warmUpCalls,
      cycleRepeats: settings.cycleRepeats,
      sameFailureThreshold: settings.sameFailures,
      failedCheckRepeatThreshold: settings.failedCheckRepeats,
      repeatedReplyThreshold: settings.repeatedReplies,
      vetoesUntilEnd: settings.vetoesUntilEnd,
      tools: JSON.stringify(settings.tools),
    }
    const values = Object.entries(expected).map(([name, value]) => [name, String(value)])
    expect(told).toEqual(values)
    expect(reference).toContain(`\`patienceVerifications\` (${standardStagnation.patienceVerifications})`)
  })
})
