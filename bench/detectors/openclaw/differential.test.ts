/**
 * Our two profiles of OpenClaw beside the real one, call by call over random sequences. How many is said by
 * DONECHECK_OPENCLAW_SEQUENCES; the real ones are installed by `install.ts` of this folder.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Detector } from '../detector.ts'
import { rows } from '../rivals/rows.ts'
import { stepsOf, type ScriptedStep } from '../rivals/script.ts'
import { plans } from './differential/plans.ts'
import { play, type Said } from './differential/play.ts'
import type { LoopConfig } from './limits.ts'
import { openClaw2026, session2026 } from './openclaw-2026-9.ts'
import { classicSession, openClawClassic } from './openclaw-classic.ts'
import { classicVariable, currentVariable, loadReal, realOpenClaw, realOpenClawClassic } from './real.ts'

const sequences = Number(process.env['DONECHECK_OPENCLAW_SEQUENCES'] ?? '300')
const timeoutMs = 600_000

const beginCurrent = await loadReal(process.env[currentVariable])
const beginClassic = await loadReal(process.env[classicVariable])

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
  const pairs = [
    { variable: currentVariable, ours: openClaw2026, load: realOpenClaw },
    { variable: classicVariable, ours: openClawClassic, load: realOpenClawClassic },
  ]

  it.for(pairs)(
    '$ours.name gives the same alarms (skipped where $variable is not set)',
    async (pair, context) => {
      const real = await pair.load()
      if (real === undefined) return context.skip(`${pair.variable} is not set`)
      const alarmsOf = (detector: Detector, script: readonly ScriptedStep[]) => {
        const watch = detector.begin()
        return stepsOf(script).map((step) => watch.observe(step))
      }
      for (const script of Object.values(rows))
        expect(alarmsOf(pair.ours, script)).toEqual(alarmsOf(real, script))
    },
  )
})

const anyCount = fc.oneof(
  fc.constant(undefined),
  fc.integer({ min: 1, max: 12 }),
  fc.constantFrom(0, -1, 1.5, 30),
)
const configs: fc.Arbitrary<LoopConfig> = fc.oneof(
  fc.constant({ enabled: true }),
  fc
    .record({
      historySize: anyCount,
      warningThreshold: anyCount,
      criticalThreshold: anyCount,
      globalCircuitBreakerThreshold: anyCount,
      detectors: fc.record({
        genericRepeat: fc.boolean(),
        knownPollNoProgress: fc.boolean(),
        pingPong: fc.boolean(),
      }),
    })
    .map((given) => ({ ...definedOf(given), enabled: true })),
)

function definedOf(given: object): LoopConfig {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

describe(`given OpenClaw 2026.4.12 itself${skippedWithout(classicVariable, beginClassic !== undefined)}`, () => {
  it.skipIf(beginClassic === undefined)(
    `says the same as our classic profile in ${sequences} random sequences under random limits`,
    () => {
      if (beginClassic === undefined) return
      const met = tally()
      fc.assert(
        fc.property(plans, configs, (plan, config) => {
          const theirs = play(beginClassic(config), plan)
          expect(play(classicSession(config), plan)).toEqual(theirs)
          met.add(theirs)
        }),
        { numRuns: sequences },
      )
      expect(met.names()).toEqual([
        'critical global_circuit_breaker',
        'critical known_poll_no_progress',
        'critical ping_pong',
        'warning generic_repeat',
        'warning known_poll_no_progress',
        'warning ping_pong',
      ])
    },
    timeoutMs,
  )

  it.skipIf(beginClassic === undefined)(
    'differs on purpose where theirs fails: a call without parameters',
    () => {
      const config = { enabled: true }
      const call = { toolName: 'read', params: undefined }
      expect(() => beginClassic?.(config).detect(call)).toThrow(TypeError)
      expect(classicSession(config).detect(call)).toEqual({ stuck: false })
    },
  )
})
