/** Every other detector that can end a run, alone: the run ends under its name. */
import { describe, expect, it } from 'vitest'
import { detectorNames, type DetectorName } from '@donecheck/core/settings'
import { calls, says } from './model-server.ts'
import { rulesOf, tell, type Steps, type Story } from './soft-tier-run.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
const reads = (path: string) => calls('read_file', { path })
const runs = (command: string) => calls('run_shell', { command })
const same = (step: Steps[number]) => letters.map(() => step)

/** Thresholds low enough for a short run. */
const thresholds = {
  historySize: 10,
  warningThreshold: 3,
  criticalThreshold: 5,
  globalCircuitBreakerThreshold: 7,
  vetoesUntilEnd: 1,
}

function alone(name: DetectorName, steps: Steps): Promise<Story> {
  const others = detectorNames.filter((other) => other !== name).map((other) => [other, 'off'] as const)
  const detectors: Partial<Record<DetectorName, 'off'>> = Object.fromEntries(others)
  const loopDetection = { ...thresholds, detectors }
  const config = { loopDetection, stagnation: 'off', finalSummary: false, maxTurns: steps.length }
  const files = {
    'a.txt': 'one\n',
    'b.txt': 'two\n',
    'report.txt': 'a draft\n',
    'donecheck.config.json': JSON.stringify(config),
  }
  return tell({ steps, last: says('I give up.'), files })
}

describe('given one detector alone', () => {
  const kinds: readonly (readonly [DetectorName, string, Steps])[] = [
    ['generic_repeat', 'one call with one result', same(reads('a.txt'))],
    ['ping_pong', 'two calls in turn', letters.map((_, at) => reads(at % 2 === 0 ? 'a.txt' : 'b.txt'))],
    ['known_poll_no_progress', 'a question whose answer stays', same(runs('sleep 0; echo building'))],
    ['global_circuit_breaker', 'nothing that succeeds', letters.map((letter) => reads(`no-${letter}.txt`))],
    ['argument_churn', 'other arguments, one result', letters.map((letter) => runs(`make-it ${letter}`))],
  ]

  it.each(kinds)('%s: %s ends the run under that name', async (name, _, steps) => {
    const story = await alone(name, steps)
    expect(story.ended.exitCode).toBe(3)
    expect(story.result).toMatchObject({ reason: 'loop_detected', detector: name, outcome: 'exhausted' })
    expect(new Set(rulesOf(story).filter((rule) => rule.startsWith('loop:')))).toEqual(
      new Set([`loop:${name}`]),
    )
    expect(story.shown).toContain(`loop_detected ${name}`)
  })
})
