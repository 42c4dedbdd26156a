/**
 * Our profile of OpenClaw beside the real one, call by call over random sequences. How many is said by
 * DONECHECK_OPENCLAW_SEQUENCES; the real one is installed by `install.ts` of this folder.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Detector } from '../detector.ts'
import { rows } from '../scripted/rows.ts'
import { stepsOf, type ScriptedStep } from '../scripted/script.ts'
import { plans } from './differential/plans.ts'
import { play, type Said } from './differential/play.ts'
import { openClaw2026, session2026 } from './openclaw-2026-9.ts'
import { currentVariable, loadReal, realOpenClaw } from './real.ts'

const sequences = Number(process.env['DONECHECK_OPENCLAW_SEQUENCES'] ?? '300')
const timeoutMs = 600_000

const beginCurrent = await loadReal(process.env[currentVariable])

/** So that nobody takes silence for agreement: what was met, as `level detector`. */
function tally(): { readonly add: (said: readonly Said[]) => void; readonly names: () => readonly string[] } {
  const met = new Set<string>()
  return {
    add(said) {
      for (const { verdict } of said) if (verdict.stuck) met.add(`${verdict.level} ${verdict.detector}`)
    },
    names: () => [...met].sort(),
  }
}

function skippedWithout(variable: string, isThere: boolean): string {
  return isThere ? '' : ` (skipped: ${variable} is not set)`
}

describe(`given OpenClaw 2026.9.6 itself${skippedWithout(currentVariable, beginCurrent !== undefined)}`, () => {
  it.skipIf(beginCurrent === undefined)(
    `says the same as our profile in ${sequences} random sequences`,
    () => {
      if (beginCurrent === undefined) return
      const met = tally()
      fc.assert(
        fc.property(plans, (plan) => {
          const theirs = play(beginCurrent({ enabled: true }), plan)
          expect(play(session2026({ enabled: true }), plan)).toEqual(theirs)
          met.add(theirs)
        }),
        { numRuns: sequences },
      )
      expect(met.names()).toEqual([
        'critical generic_repeat',
        'critical global_circuit_breaker',
        'critical known_poll_no_progress',
        'critical ping_pong',
        'critical unknown_tool_repeat',
        'warning argument_churn',
        'warning generic_repeat',
        'warning known_poll_no_progress',
        'warning ping_pong',
      ])
    },
    timeoutMs,
  )
})

describe('given both as detectors over the patterns of the comparison', () => {
  it(`gives the same alarms (skipped where ${currentVariable} is not set)`, async (context) => {
    const real = await realOpenClaw()
    if (real === undefined) return context.skip(`${currentVariable} is not set`)
    const alarmsOf = (detector: Detector, script: readonly ScriptedStep[]) => {
      const watch = detector.begin()
      return stepsOf(script).map((step) => watch.observe(step))
    }
    for (const script of Object.values(rows))
      expect(alarmsOf(openClaw2026, script)).toEqual(alarmsOf(real, script))
  })
})
