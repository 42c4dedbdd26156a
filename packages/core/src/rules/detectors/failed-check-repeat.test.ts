import { describe, expect, it } from 'vitest'
import {
  begun,
  checked,
  edited,
  failedVerdict,
  given,
  passedVerdict,
  runStarted,
  type Step,
} from '../../testing/index.ts'
import { goalSet, modelCalled, modelClaimed, turnEnded, workspaceObserved } from '../../testing/facts.ts'
import { failedCheckRepeat } from './failures.ts'
import { viewOf } from './loop-detections.ts'
import { repeated } from './stories/reported-turns.test.ts'
import { standardLoopDetection, type LoopDetectionSettings } from '../../events/settings/index.ts'

const red = failedVerdict('npm test', { reason: 'exit code 1: two tests fail' })

interface Told {
  readonly settings?: Partial<LoopDetectionSettings>
  readonly workFolder?: string | null
}

function detectionOf(steps: readonly Step[], { settings = {}, workFolder = '/srv/tree' }: Told = {}) {
  const stagnation = { mode: 'off', patienceVerifications: 6, changesPerClaim: 5, epsilonScore: 0 } as const
  // Idle claims are counted apart: far away, unless a test asks for them.
  const loopDetection = { ...standardLoopDetection, failedCheckRepeatThreshold: 6, ...settings }
  const soft = { loopDetection, stagnation, tokenBudget: null }
  const choices = { verifiers: ['npm test', 'lint'], soft, workFolder }
  const start = workFolder === null ? [runStarted(choices), goalSet()] : begun(choices)
  const view = viewOf(given(start, ...steps).state)
  return view === undefined ? undefined : failedCheckRepeat(view)
}

/** "Done", with a tree, and the checks say no. */
function claim(turn: number, tree = `tree-${turn}`, verdicts = [red, passedVerdict('lint')]): Step {
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
  return [edited(turn, tree), checked('change', red, passedVerdict('lint')), turnEnded(turn)]
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
    expect(detectionOf(turns(count, claim))?.level).toBe(level)
  })

  it('says which checks, and how often', () => {
    expect(detectionOf(turns(6, claim))).toMatchObject({
      message: 'npm test failed in the same way on 6 trees, 6 of them said to be done',
      numbers: { repeats: 6, claims: 6 },
      continuedBy: [],
    })
    expect(detectionOf(turns(6, claim))?.restsOn).toHaveLength(6)
  })

  it('the same tree counts once, however often it is said to be done', () => {
    const twice = turns(12, (turn) => claim(turn, `tree-${Math.ceil(turn / 2)}`))
    expect(detectionOf(twice)?.numbers).toEqual({ repeats: 6, claims: 6 })
  })

  it('to say so again with the same tree is told at the second time, and ends the run at the fourth', () => {
    const idle = (count: number) => detectionOf(turns(count, (turn) => claim(turn, 'tree-1')))
    expect([1, 2, 3, 4, 20].map((count) => idle(count)?.level)).toEqual([
      undefined,
      'warning',
      'warning',
      'hopeless',
      'hopeless',
    ])
    expect(idle(4)?.numbers).toEqual({ claims: 4 })
    const changed = [...turns(3, (turn) => claim(turn, 'tree-1')), claim(4, 'tree-2')]
    expect(detectionOf(changed)).toBeUndefined()
  })

  it('where there is no tree, every claim is one', () => {
    const step = (turn: number) => [
      modelCalled(turn),
      modelClaimed(`answer ${turn}`),
      checked('claim', red, passedVerdict('lint')),
      turnEnded(turn),
    ]
    expect(detectionOf(turns(6, step), { workFolder: null })?.level).toBe('hopeless')
  })
})

describe('given progress', () => {
  it.each([
    ['all pass', [passedVerdict('npm test'), passedVerdict('lint')]],
    ['another check fails', [red, failedVerdict('lint')]],
    [
      'it fails otherwise',
      [failedVerdict('npm test', { reason: 'exit code 1: one test fails' }), passedVerdict('lint')],
    ],
  ])('the row begins anew where %s', (_, verdicts) => {
    const steps = [...turns(5, claim), claim(6, 'tree-6', verdicts)]
    expect(detectionOf(steps)).toBeUndefined()
    expect(detectionOf([...steps, claim(7), claim(8)])).toBeUndefined()
    expect(detectionOf([...steps, claim(7), claim(8), claim(9)])?.level).toBe('warning')
  })

  it('line numbers and times in what it says are none', () => {
    const other = (turn: number) =>
      failedVerdict('npm test', { reason: `failed at a.js:${turn * 7} after ${turn}.5 s` })
    const step = (turn: number) => claim(turn, `tree-${turn}`, [other(turn), passedVerdict('lint')])
    expect(detectionOf(turns(6, step))?.level).toBe('hopeless')
  })
})

describe('given work in hand, whose check stays red until its end', () => {
  it('changes alone are told after twice as many, and never end the run', () => {
    const levels = [6, 11, 12, 40].map((count) => detectionOf(turns(count, change))?.level)
    expect(levels).toEqual([undefined, undefined, 'warning', 'warning'])
  })

  it('the failures of the baseline tree are nobody’s claim', () => {
    const baseline = checked('baseline', red, passedVerdict('lint'))
    expect(detectionOf([...baseline, ...turns(5, claim)])?.level).toBe('warning')
    expect(detectionOf([...baseline, ...turns(6, claim)])?.level).toBe('hopeless')
  })
})
