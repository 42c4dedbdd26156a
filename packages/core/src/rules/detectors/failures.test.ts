import { describe, expect, it } from 'vitest'
import { argumentChurn, sameFailure, failedCheckRepeat } from './failures.ts'
import { firstAt, levelOf, times, viewOf, type Made } from './stories/made-calls.test.ts'
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
import { viewOf as softViewOf } from './loop-detections.ts'
import { standardLoopDetection, type LoopDetectionSettings } from '../../events/settings/index.ts'

const page = { tool: 'read_file', outcome: 'the same page' } as const
/** Every argument is new, the outcome stays. */
const offsets = (count: number, more: Partial<Extract<Made, { tool?: string }>> = {}) =>
  times(count, (at) => ({ ...page, call: `offset ${at}`, ...more }))
/** Four arguments that come back. */
const comingBack = (count: number, more: Partial<Extract<Made, { tool?: string }>> = {}) =>
  times(count, (at) => ({ ...page, call: `offset ${at % 4}`, ...more }))
const failed = { outcome: 'E501', failure: 'E501', said: 'little' } as const

describe('given one tool, other arguments every time, and a page of text that stays', () => {
  it('tells after half of 10 and refuses after 20', () => {
    expect(firstAt(argumentChurn, offsets(25))).toEqual({ warning: 5, critical: 20 })
  })

  it('refuses the tool, whatever the arguments', () => {
    expect(argumentChurn(viewOf(offsets(20)))).toMatchObject({
      detector: 'argument_churn',
      numbers: { calls: 20, differentArguments: 20 },
      continuedBy: { tool: 'read_file' },
    })
  })

  it('asks for three different arguments at least', () => {
    const settings = { warningThreshold: 2, criticalThreshold: 4, warmUpCalls: 0 }
    expect(firstAt(argumentChurn, offsets(5), settings)).toEqual({ warning: 3, critical: 4 })
    expect(
      levelOf(
        argumentChurn,
        times(20, (at) => ({ ...page, call: `offset ${at % 2}` })),
      ),
    ).toBeUndefined()
    expect(
      levelOf(
        argumentChurn,
        times(20, (at) => ({ ...page, call: `offset ${at % 3}` })),
      ),
    ).toBe('critical')
  })

  it('refuses nothing that was asked for in two batches, however large', () => {
    const batches = times(25, (at) => ({ ...page, call: `offset ${at}`, turn: at < 12 ? 1 : 2 }))
    expect(firstAt(argumentChurn, batches)).toEqual({ warning: 5 })
    expect(levelOf(argumentChurn, [...batches, { ...page, call: 'offset 25', turn: 3 }])).toBe('critical')
  })

  it('lets one turn through after a refusal, and refuses again where nothing else comes of it', () => {
    const vetoed: Made = { tool: 'read_file', call: 'offset 20', outcome: null, callStatus: 'vetoed' }
    expect(levelOf(argumentChurn, [...offsets(20), vetoed])).toBeUndefined()
    expect(levelOf(argumentChurn, [...offsets(20), vetoed, { ...page, call: 'offset 21' }])).toBe('critical')
    expect(
      levelOf(argumentChurn, [...offsets(20), vetoed, { tool: 'read_file', outcome: 'new' }]),
    ).toBeUndefined()
  })
})

describe('given a row that is interrupted', () => {
  it.each<[string, Made]>([
    ['another tool', {}],
    ['another outcome', { tool: 'read_file', outcome: 'another page' }],
    ['an outcome that nobody knows', { tool: 'read_file', outcome: null }],
    ['progress', 'progress'],
  ])('begins anew after %s', (_, between) => {
    expect(levelOf(argumentChurn, [...offsets(19), between])).toBeUndefined()
    expect(levelOf(argumentChurn, [...offsets(19), between, ...offsets(4)])).toBeUndefined()
    expect(levelOf(argumentChurn, [...offsets(19), between, ...offsets(5)])).toBe('warning')
  })
})

describe('given work through a list, which looks alike', () => {
  it.each<[string, Partial<Extract<Made, { tool?: string }>>]>([
    ['a short acknowledgement, such as ok', { outcome: 'ok', said: 'little' }],
    ['no words at all', { outcome: '', said: 'nothing' }],
    ['edits of many files, however much they say', { edits: true }],
    ['waiting', { waits: true }],
  ])('lets 45 calls with %s be', (_, more) => {
    const calls = times(45, (at) => ({ ...page, call: `file ${at}`, ...more }))
    expect(firstAt(argumentChurn, calls)).toEqual({})
  })

  it('does not refuse a linter that finds the same in each of 25 files', () => {
    expect(firstAt(argumentChurn, offsets(29, failed))).toEqual({ warning: 27 })
  })

  it('has patience with it until the breaker would open', () => {
    expect(firstAt(argumentChurn, offsets(35, failed))).toEqual({ warning: 27, critical: 30 })
    expect(firstAt(argumentChurn, offsets(35, failed), { historySize: 24 })).toEqual({
      warning: 22,
      critical: 24,
    })
  })

  it('is a list also where a quarter of its items is tried once more, and none where more is', () => {
    const again = (count: number) => [...offsets(count, failed), ...offsets(24 - count, failed)]
    expect(levelOf(argumentChurn, again(18))).toBeUndefined()
    expect(levelOf(argumentChurn, again(17))).toBe('critical')
  })

  it('has it with the few words of a tool that only reads, but not for ever', () => {
    const noMatches = { tool: 'search', outcome: 'no matches', said: 'little', looks: true } as const
    expect(firstAt(argumentChurn, offsets(35, noMatches))).toEqual({ warning: 27, critical: 30 })
    expect(firstAt(argumentChurn, comingBack(25, noMatches))).toMatchObject({ critical: 20 })
    expect(firstAt(argumentChurn, offsets(35, { ...noMatches, said: 'nothing' }))).toEqual({})
  })
})

const warm = times(6, () => ({}))
const failedCall = (call: string, more: Partial<Extract<Made, { tool?: string }>> = {}): Made => ({
  call,
  outcome: 'refused',
  failure: 'refused',
  ...more,
})
const ofTwoCalls = (count: number) => times(count, (at) => failedCall(`call ${at % 2}`))
const overTools = (count: number) =>
  times(count, (at) => failedCall(`call ${at}`, { tool: `tool ${at % 5}` }))
const files = (count: number) => times(count, (at) => failedCall(`lint file ${at}`))
const after = (first: Partial<Record<string, number>>) =>
  Object.fromEntries(Object.entries(first).map(([level, at]) => [level, (at ?? 0) - warm.length]))

describe('given one failure in a row', () => {
  it('tells when calls have come back twice, and refuses when they have three times', () => {
    const one = times(4, () => failedCall('npm test'))
    expect(after(firstAt(sameFailure, [...warm, ...one]))).toEqual({ warning: 3, critical: 4 })
    expect(after(firstAt(sameFailure, [...warm, ...ofTwoCalls(5)]))).toEqual({ warning: 4, critical: 5 })
  })

  it('does not care about tools and arguments, but has patience with calls that each were tried once', () => {
    const first = after(firstAt(sameFailure, [...warm, ...overTools(45)]))
    const { warning = 0, critical = 0, fatal = 0 } = first
    expect(warning).toBeGreaterThan(6)
    expect(critical).toBeGreaterThan(25)
    expect(fatal).toBeGreaterThan(critical)
    expect(fatal).toBeLessThanOrEqual(40)
  })

  it('sees it among other calls, when it is half of all that is kept', () => {
    const everySecond = times(60, (at) => (at % 2 === 0 ? failedCall(`call ${at}`) : {}))
    expect(firstAt(sameFailure, everySecond).fatal).toBe(59)
    const everyThird = times(120, (at) => (at % 3 === 0 ? failedCall(`call ${at}`) : {}))
    expect(firstAt(sameFailure, everyThird)).toEqual({})
  })

  it('takes a veto for one more try of what failed, and passes over vetoes of other calls', () => {
    const vetoed = failedCall('call 0', { callStatus: 'vetoed' })
    expect(levelOf(sameFailure, [...warm, ...ofTwoCalls(5), vetoed])).toBe('critical')
    const other = { call: 'other', outcome: null, failure: null, callStatus: 'vetoed' as const }
    expect(levelOf(sameFailure, [...warm, ...ofTwoCalls(4), other, failedCall('call 0')])).toBe('critical')
  })
})

describe('given something between the failures', () => {
  it.each<[string, Made]>([
    ['a success', {}],
    ['another failure', { failure: 'another' }],
  ])('begins anew after %s, where other calls fail then', (_, between) => {
    const others = times(3, (at) => failedCall(`other ${at % 2}`))
    expect(levelOf(sameFailure, [...warm, ...ofTwoCalls(4), between])).toBeUndefined()
    expect(levelOf(sameFailure, [...warm, ...ofTwoCalls(4), between, ...others])).toBeUndefined()
  })

  it('counts one call on the same work whatever stands between, and tells one try before it refuses', () => {
    const tries = times(12, (at) => (at % 3 === 0 ? failedCall('npm test') : {}))
    expect(after(firstAt(sameFailure, [...warm, ...tries]))).toEqual({ warning: 7, critical: 10 })
    const widely = times(40, (at) => (at % 8 === 0 ? failedCall('npm test') : {}))
    expect(after(firstAt(sameFailure, [...warm, ...widely]))).toEqual({ warning: 17 })
  })

  it('counts tries of one batch once, and none after a wait', () => {
    const batch = times(6, () => failedCall('npm test', { turn: 9 }))
    expect(levelOf(sameFailure, [...warm, failedCall('npm test'), {}, ...batch.slice(0, 1)])).toBeUndefined()
    const pause: Made = { call: 'sleep 5', waits: true, pauses: true }
    const asked = times(24, (at) => (at % 2 === 0 ? pause : failedCall('curl localhost')))
    expect(firstAt(sameFailure, [...warm, ...asked])).toEqual({})
  })

  it('tells of one call in spite of changes, and ends at its thirtieth try', () => {
    const tries = (count: number) =>
      times(count * 2, (at) => (at % 2 === 0 ? 'progress' : failedCall('npm test')))
    const level = (count: number) => levelOf(sameFailure, [...warm, ...tries(count)])
    expect([7, 8, 29, 30].map(level)).toEqual([undefined, 'warning', 'warning', 'fatal'])
  })
})

describe('given work through a list', () => {
  it('neither ends it nor refuses the next file, where a linter says the same of 25', () => {
    const first = after(firstAt(sameFailure, [...warm, ...files(25)]))
    expect(first['fatal']).toBeUndefined()
    const detection = sameFailure(viewOf([...warm, ...files(25)]))
    expect(detection?.continuedBy).not.toContain('lint file 25')
  })
})

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
  const view = softViewOf(given(start, ...steps).state)
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

const turns = (count: number, step: (turn: number) => Step) =>
  Array.from({ length: count }, (_, index) => step(index + 1))

describe('given an agent that says it is done, again and again, with the same failures', () => {
  it.each([
    [1, undefined],
    [2, undefined],
    [3, 'warning'],
    [5, 'warning'],
    [6, 'fatal'],
    [7, 'fatal'],
  ])('after %i times: %s', (count, level) => {
    expect(detectionOf(turns(count, claim))?.level).toBe(level)
  })

  it('says which checks, and how often', () => {
    expect(detectionOf(turns(6, claim))).toMatchObject({
      message: 'npm test failed in the same way on 6 trees, 6 of them said to be done',
      numbers: { repeats: 6, claims: 6 },
      continuedBy: [],
    })
    expect(detectionOf(turns(6, claim))?.basedOn).toHaveLength(6)
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
      'fatal',
      'fatal',
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
    expect(detectionOf(turns(6, step), { workFolder: null })?.level).toBe('fatal')
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
})

describe('given work in hand, whose check stays red until its end', () => {
  it('changes alone are told after twice as many, and never end the run', () => {
    const levels = [6, 11, 12, 40].map((count) => detectionOf(turns(count, change))?.level)
    expect(levels).toEqual([undefined, undefined, 'warning', 'warning'])
  })

  it('the failures of the baseline tree are nobody’s claim', () => {
    const baseline = checked('baseline', red, passedVerdict('lint'))
    expect(detectionOf([...baseline, ...turns(5, claim)])?.level).toBe('warning')
    expect(detectionOf([...baseline, ...turns(6, claim)])?.level).toBe('fatal')
  })
})
