import { describe, expect, it } from 'vitest'
import {
  begun,
  checked,
  edited,
  failed,
  given,
  goalSet,
  modelCalled,
  modelClaimed,
  passed,
  runStarted,
  turnEnded,
  workspaceObserved,
  type Step,
} from '../../testing/index.ts'
import { failedCheckRepeat } from './failed-check-repeat.ts'
import { viewOf } from './loop-signs.ts'
import { standardLoopDetection } from './standard-settings.ts'
import { repeated } from './told-turns.test.ts'
import type { LoopDetectionSettings } from '../../events/index.ts'

const red = failed('npm test', { reason: 'exit code 1: two tests fail' })

interface Told {
  readonly settings?: Partial<LoopDetectionSettings>
  readonly workFolder?: string | null
}

function signOf(steps: readonly Step[], { settings = {}, workFolder = '/srv/tree' }: Told = {}) {
  const stagnation = { mode: 'off', patienceVerifications: 6, changesPerClaim: 5, epsilonScore: 0 } as const
  // Idle claims are counted apart: far away, unless a test asks for them.
  const loopDetection = { ...standardLoopDetection, failedCheckRepeats: 6, ...settings }
  const soft = { loopDetection, stagnation, tokenBudget: null }
  const choices = { verifiers: ['npm test', 'lint'], soft, workFolder }
  const start = workFolder === null ? [runStarted(choices), goalSet()] : begun(choices)
  const view = viewOf(given(start, ...steps).state)
  return view === undefined ? undefined : failedCheckRepeat(view)
}

/** "Done", with a tree, and the checks say no. */
function claim(turn: number, tree = `tree-${turn}`, verdicts = [red, passed('lint')]): Step {
  return [
    modelCalled(turn),
    modelClaimed(),
    workspaceObserved(tree),
    checked('claim', ...verdicts),
    turnEnded(turn),
  ]
}

/** An edit without a word of being done. */
function change(turn: number, tree = `tree-${turn}`): Step {
  return [edited(turn, tree), checked('change', red, passed('lint')), turnEnded(turn)]
}

const turns = (count: number, step: (turn: number) => Step) => repeated(count, (index) => step(index + 1))

describe('given a drive that says it is done, again and again, with the same failures', () => {
  it.each([
    [1, undefined],
    [2, undefined],
    [3, 'warning'],
    [5, 'warning'],
    [6, 'hopeless'],
    [7, 'hopeless'],
  ])('after %i times: %s', (count, level) => {
    expect(signOf(turns(count, claim))?.level).toBe(level)
  })

  it('says which checks, and how often', () => {
    expect(signOf(turns(6, claim))).toMatchObject({
      message: 'npm test failed in the same way on 6 trees, 6 of them said to be done',
      numbers: { repeats: 6, claims: 6 },
      continuedBy: [],
    })
    expect(signOf(turns(6, claim))?.restsOn).toHaveLength(6)
  })

  it('as often as the settings say', () => {
    const told = { settings: { failedCheckRepeats: 3 } }
    expect(turns(3, claim).map((_, index) => signOf(turns(index + 1, claim), told)?.level)).toEqual([
      undefined,
      'warning',
      'hopeless',
    ])
  })

  it('the same tree counts once, however often it is said to be done', () => {
    const twice = turns(12, (turn) => claim(turn, `tree-${Math.ceil(turn / 2)}`))
    expect(signOf(twice)?.numbers).toEqual({ repeats: 6, claims: 6 })
  })

  it('to say so again with the same tree is told at the second time, and ends the run at the fourth', () => {
    const idle = (count: number) => signOf(turns(count, (turn) => claim(turn, 'tree-1')))
    expect([1, 2, 3, 4, 20].map((count) => idle(count)?.level)).toEqual([
      undefined,
      'warning',
      'warning',
      'hopeless',
      'hopeless',
    ])
    expect(idle(4)?.numbers).toEqual({ claims: 4 })
    const changed = [...turns(3, (turn) => claim(turn, 'tree-1')), claim(4, 'tree-2')]
    expect(signOf(changed)).toBeUndefined()
  })

  it('a tree that was looked at before it is said to be done counts once', () => {
    const step = (turn: number) => [change(2 * turn - 1, `tree-${turn}`), claim(2 * turn, `tree-${turn}`)]
    expect(signOf(turns(6, step))?.numbers).toEqual({ repeats: 6, claims: 6 })
  })

  it('trees that take turns are different ones', () => {
    expect(signOf(turns(6, (turn) => claim(turn, `tree-${turn % 2}`)))?.level).toBe('hopeless')
  })

  it('where there is no tree, every claim is one', () => {
    const step = (turn: number) => [
      modelCalled(turn),
      modelClaimed(`answer ${turn}`),
      checked('claim', red, passed('lint')),
      turnEnded(turn),
    ]
    expect(signOf(turns(6, step), { workFolder: null })?.level).toBe('hopeless')
  })
})

describe('given progress', () => {
  it.each([
    ['all pass', [passed('npm test'), passed('lint')]],
    ['another check fails', [red, failed('lint')]],
    ['it fails otherwise', [failed('npm test', { reason: 'exit code 1: one test fails' }), passed('lint')]],
  ])('the row begins anew where %s', (_, verdicts) => {
    const steps = [...turns(5, claim), claim(6, 'tree-6', verdicts)]
    expect(signOf(steps)).toBeUndefined()
    expect(signOf([...steps, claim(7), claim(8)])).toBeUndefined()
    expect(signOf([...steps, claim(7), claim(8), claim(9)])?.level).toBe('warning')
  })

  it('line numbers and times in what it says are none', () => {
    const other = (turn: number) =>
      failed('npm test', { reason: `failed at a.js:${turn * 7} after ${turn}.5 s` })
    const step = (turn: number) => claim(turn, `tree-${turn}`, [other(turn), passed('lint')])
    expect(signOf(turns(6, step))?.level).toBe('hopeless')
  })
})

describe('given work in hand, whose check stays red until its end', () => {
  it('changes alone are told after twice as many, and never end the run', () => {
    const levels = [6, 11, 12, 40].map((count) => signOf(turns(count, change))?.level)
    expect(levels).toEqual([undefined, undefined, 'warning', 'warning'])
  })

  it('the failures of the untouched tree are nobody’s claim', () => {
    const baseline = checked('baseline', red, passed('lint'))
    expect(signOf([...baseline, ...turns(5, claim)])?.level).toBe('warning')
    expect(signOf([...baseline, ...turns(6, claim)])?.level).toBe('hopeless')
  })

  it('nothing is said before anything was checked', () => {
    expect(signOf([])).toBeUndefined()
  })
})

describe('given the streak that each check keeps', () => {
  it('counts otherwise: every failure of it, on whatever tree, whatever it says', () => {
    const steps = turns(4, (turn) =>
      claim(turn, 'tree-1', [failed('npm test', { reason: `reason ${'x'.repeat(turn)}` }), passed('lint')]),
    )
    const { state } = given(begun({ verifiers: ['npm test', 'lint'] }), ...steps)
    expect(state.checks['npm test']?.failureStreak).toBe(4)
    expect(state.activity.verifications.at(-1)).toMatchObject({ repeats: 1, claims: 1 })
  })
})
