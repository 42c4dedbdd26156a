/** Every other detector that can end a run, alone: the run ends under its name. One only gives a hint. */
import { describe, expect, it } from 'vitest'
import { detectorNames, type DetectorName } from '@donecheck/core/settings'
import { calls, says } from './model-server.ts'
import { rulesOf, tell, type Steps, type Story } from './soft-tier-run.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')
const reads = (path: string) => calls('read_file', { path })
const runs = (command: string) => calls('run_shell', { command })
const same = (step: Steps[number]) => letters.map(() => step)
const writesSame = calls('write_file', { path: 'report.txt', content: 'a draft\n' })

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

/** The same thought in nearly the same words. */
const thought = (word: string) =>
  says(
    `The report seems to be complete in my opinion, because everything that the task asks for is there, and so I believe that ` +
      `the check must be wrong in some way that I do not understand yet, or that ${word} has to be looked at by somebody else.`,
  )

describe('given one detector alone', () => {
  const kinds: readonly (readonly [DetectorName, string, Steps])[] = [
    ['generic_repeat', 'one call with one result', same(reads('a.txt'))],
    ['ping_pong', 'two calls in turn', letters.map((_, at) => reads(at % 2 === 0 ? 'a.txt' : 'b.txt'))],
    ['known_poll_no_progress', 'a question whose answer stays', same(runs('sleep 0; echo building'))],
    ['global_circuit_breaker', 'nothing that succeeds', letters.map((letter) => reads(`no-${letter}.txt`))],
    ['argument_churn', 'other arguments, one result', letters.map((letter) => runs(`make-it ${letter}`))],
    ['thought_loop', 'one thought in other words', letters.map(thought)],
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

  it('no_op_edit: the same edit is refused after four that changed nothing, and the run ends when it is made again', async () => {
    const story = await alone('no_op_edit', same(writesSame))
    expect(story.lines.filter(({ type }) => type === 'tool-called')).toHaveLength(4)
    expect(story.refusals).toMatchObject([{ by: 'detector' }])
    expect(story.refusals[0]?.reason).toMatch(/\(no_op_edit\)$/)
    expect(story.result).toMatchObject({ reason: 'loop_detected', detector: 'no_op_edit', turns: 5 })
  })

  it('no_op_edit: looking and testing go on after a refusal, and a cap ends the run', async () => {
    const others = letters.slice(0, 6).map((letter) => runs(`echo ${letter} > /dev/null; cat ${letter}.txt`))
    const story = await alone('no_op_edit', [...same(writesSame).slice(0, 4), ...others])
    expect(rulesOf(story)).toContain('loop:no_op_edit')
    expect(story.refusals).toEqual([])
    expect(story.result).toMatchObject({ reason: 'hard_cap', cap: 'iterations', exitCode: 3 })
  })

  it('busy_wait: questions in a hurry are told to wait, and a cap ends the run', async () => {
    const story = await alone('busy_wait', same(runs('sleep 0; echo building')).slice(0, 6))
    expect(rulesOf(story)).toContain('loop:busy_wait')
    expect(story.refusals).toEqual([])
    expect(story.result).toMatchObject({ reason: 'hard_cap', cap: 'iterations', exitCode: 3 })
  })
})
