import { describe, expect, it } from 'vitest'
import { genericRepeat, pingPong, globalCircuitBreaker, knownPollNoProgress } from './equal-calls.ts'
import { firstAt, levelOf, times, viewOf, type Made } from './stories/made-calls.test.ts'

const same: Made = ['a']
const row = (count: number) => times(count, () => same)

describe('given one call with one outcome, again and again', () => {
  it('tells after the 10th and refuses after the 20th: the 21st does not run', () => {
    expect(firstAt(genericRepeat, row(25))).toEqual({ warning: 10, critical: 20 })
  })

  it('says which call, how often, and what goes on with it', () => {
    const detection = genericRepeat(viewOf(row(20)))
    expect(detection).toMatchObject({
      detector: 'generic_repeat',
      numbers: { calls: 20 },
      continuedBy: ['a'],
      basedOn: [11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
    })
    expect(detection?.advice).toContain('run_shell 20 times')
  })

  it('counts results that are nearly the same no further back than the history, and not while new ones stand between', () => {
    const counting = (at: number): Made => ({ call: 'a', outcome: `outcome ${at}`, lines: '1a 2b 3c' })
    const seldom = times(200, (at) => (at % 4 === 0 ? counting(at) : {}))
    expect(firstAt(genericRepeat, seldom)).toEqual({})
    const inTurn = times(60, (at) => (at % 2 === 0 ? counting(at) : {}))
    expect(firstAt(genericRepeat, inTurn)).toEqual({})
  })

  it('sees results that differ in a counter alone, and no others', () => {
    const counting = times(25, (at) => ({ call: 'a', outcome: `outcome ${at}`, lines: '1a 2b 3c' }))
    expect(firstAt(genericRepeat, counting)).toEqual({ warning: 10, critical: 20 })
    const changing = times(25, (at) => ({ call: 'a', outcome: `outcome ${at}`, lines: `1a ${at}` }))
    expect(firstAt(genericRepeat, changing)).toEqual({})
    const waiting = times(25, (at) => ({ call: 'a', outcome: `outcome ${at}`, lines: '1a', waits: true }))
    expect(firstAt(genericRepeat, waiting)).toEqual({})
  })

  it('is not deceived by calls between them, as far as the history holds them', () => {
    const mixed = times(60, (at) => (at % 3 === 0 ? {} : same))
    expect(firstAt(genericRepeat, mixed)).toEqual({ warning: 15, critical: 30 })
    expect(firstAt(genericRepeat, mixed, { historySize: 28 })).toEqual({ warning: 15 })
  })
})

describe('given something that changes', () => {
  it('begins anew with every new outcome', () => {
    expect(
      levelOf(
        genericRepeat,
        times(50, (at) => ['a', `outcome ${at}`]),
      ),
    ).toBeUndefined()
    const changing = [...row(9), ['a', 'other'] as const, ...row(9)]
    expect(levelOf(genericRepeat, changing)).toBeUndefined()
    expect(levelOf(genericRepeat, [...changing, same])).toBe('warning')
  })

  it('begins anew with progress', () => {
    expect(levelOf(genericRepeat, [...row(19), 'progress'])).toBeUndefined()
    expect(levelOf(genericRepeat, [...row(19), 'progress', ...row(9)])).toBeUndefined()
    expect(levelOf(genericRepeat, [...row(19), 'progress', ...row(10)])).toBe('warning')
  })

  it('does not begin anew with progress for a tool that only reads', () => {
    const read: Made = { call: 'a', outcome: 'page', readOnly: true }
    const between = times(38, (at) => (at % 2 === 0 ? read : 'progress'))
    expect(levelOf(genericRepeat, [...between, read])).toBe('critical')
  })
})

describe('given calls that are not compared', () => {
  it('says nothing where no outcome is known: unknown is not equal', () => {
    expect(
      levelOf(
        genericRepeat,
        times(40, () => ['a', null]),
      ),
    ).toBeUndefined()
  })

  it('counts equal calls of one batch once: they were asked for at one time', () => {
    const batches = times(57, (at) => ({ call: 'a', outcome: 'x', turn: Math.floor(at / 3) + 1 }))
    expect(genericRepeat(viewOf(batches, { historySize: 60 }))?.numbers).toEqual({ calls: 19 })
  })

  it('counts vetoes: a call that is refused and asked for again is still the same', () => {
    const vetoed: Made = { call: 'a', outcome: 'outcome of a', callStatus: 'vetoed' }
    expect(levelOf(genericRepeat, [...row(19), vetoed])).toBe('critical')
    expect(levelOf(genericRepeat, [...row(20), vetoed, vetoed])).toBe('critical')
  })
})

const turns = (count: number) => times(count, (at) => (at % 2 === 0 ? ['a'] : ['b']))

describe('given two calls in turn whose outcomes stay', () => {
  it('tells after the 10th call of both together and refuses after the 20th', () => {
    expect(firstAt(pingPong, turns(25))).toEqual({ warning: 10, critical: 20 })
  })

  it('refuses both of them, and is one loop whichever comes last', () => {
    const [even, odd] = [pingPong(viewOf(turns(20))), pingPong(viewOf(turns(21)))]
    expect(even).toMatchObject({ detector: 'ping_pong', numbers: { calls: 20 }, continuedBy: ['b', 'a'] })
    expect(odd).toMatchObject({ numbers: { calls: 21 }, continuedBy: ['a', 'b'] })
    expect(even?.key).toBe(odd?.key)
  })
})

describe('given two calls in turn that are no ping-pong', () => {
  it('says nothing where one of the outcomes changes', () => {
    expect(
      firstAt(
        pingPong,
        times(40, (at) => (at % 2 === 0 ? ['a'] : ['b', `${at}`])),
      ),
    ).toEqual({})
  })

  it('begins anew after a third call', () => {
    expect(levelOf(pingPong, [...turns(18), ['c'], ...turns(9)])).toBeUndefined()
    expect(levelOf(pingPong, [...turns(18), ['c'], ...turns(10)])).toBe('warning')
  })

  it('begins anew with progress: edit and test in turn is work', () => {
    expect(
      levelOf(
        pingPong,
        times(60, (at) => (at % 3 === 2 ? 'progress' : [`call ${at % 3}`])),
      ),
    ).toBeUndefined()
  })
})

/** Fails in a new way with every call. */
const failing = (count: number) => times(count, (at) => ({ failure: `failure ${at}` }))

describe('given calls of any kind without progress', () => {
  it('tells after two thirds of 30 and refuses after 30', () => {
    expect(firstAt(globalCircuitBreaker, failing(35))).toEqual({ warning: 20, critical: 30 })
  })

  it('refuses whatever is called next', () => {
    expect(globalCircuitBreaker(viewOf(failing(30)))).toMatchObject({
      detector: 'global_circuit_breaker',
      numbers: { calls: 30 },
      continuedBy: 'any-call',
    })
  })

  it('counts repetitions, failures and unknown outcomes alike', () => {
    const kinds: readonly Made[] = [['a'], { failure: 'no' }, ['b', null]]
    const mixed = times(31, (at) => (at === 0 ? ['a'] : (kinds[at % 3] ?? {})))
    expect(firstAt(globalCircuitBreaker, mixed)).toEqual({ warning: 21, critical: 31 })
  })

  it('counts neither an edit that changed nothing as progress, nor a piece of a list as the lack of it', () => {
    const idle = times(31, () => ({ noOp: true }))
    expect(firstAt(globalCircuitBreaker, idle)).toEqual({ warning: 20, critical: 30 })
    const listed = times(31, (at) => ({ failure: `failure ${at}`, pattern: 'lint' }))
    expect(firstAt(globalCircuitBreaker, listed)).toEqual({})
  })

  it('is half open after a refusal: the agent may try once, and another failure opens it again', () => {
    const vetoed: Made = { callStatus: 'vetoed', outcome: null }
    expect(levelOf(globalCircuitBreaker, [...failing(30), vetoed])).toBeUndefined()
    expect(levelOf(globalCircuitBreaker, [...failing(30), vetoed, ...failing(1)])).toBe('critical')
    expect(levelOf(globalCircuitBreaker, [...failing(30), vetoed, {}])).toBeUndefined()
  })
})

describe('given progress', () => {
  it.each<[string, Made]>([
    ['something new that succeeded', {}],
    ['work that became new', 'progress'],
  ])('closes with %s', (_, progress) => {
    expect(levelOf(globalCircuitBreaker, [...failing(29), progress])).toBeUndefined()
    expect(levelOf(globalCircuitBreaker, [...failing(29), progress, ...failing(19)])).toBeUndefined()
  })

  it('neither counts pauses on purpose nor takes them for progress', () => {
    const slept: Made = { call: 'sleep 30', outcome: '', waits: true, pauses: true }
    const job = [slept, ...failing(19), ...times(40, () => slept)]
    expect(levelOf(globalCircuitBreaker, job)).toBeUndefined()
    expect(levelOf(globalCircuitBreaker, [...job, ...failing(1)])).toBe('warning')
  })
})

const asked = (outcome = 'running'): Made => ({ tool: 'command_status', call: 'poll', outcome, waits: true })
const slept: Made = { call: 'sleep 30', outcome: '', waits: true, pauses: true, said: 'nothing' }
const polls = (count: number, outcome?: string) => times(count, () => asked(outcome))

describe('given a poll whose answer stays', () => {
  it('tells after the 10th and refuses after the 20th', () => {
    expect(firstAt(knownPollNoProgress, polls(25))).toEqual({ warning: 10, critical: 20 })
  })

  it('says which and how often, and what to do instead', () => {
    const detection = knownPollNoProgress(viewOf(polls(20)))
    expect(detection).toMatchObject({
      detector: 'known_poll_no_progress',
      numbers: { calls: 20 },
      continuedBy: ['poll'],
    })
    expect(detection?.advice).toContain('Wait longer')
  })

  it('refuses the pause and the question alike, whichever comes next', () => {
    const inTurn = times(110, (at) => (at % 2 === 0 ? slept : asked()))
    expect(knownPollNoProgress(viewOf(inTurn))).toMatchObject({
      level: 'critical',
      continuedBy: expect.arrayContaining(['poll', 'sleep 30']) as unknown,
    })
  })
})

describe('given a poll whose answer changes', () => {
  it('is content however often it is asked', () => {
    expect(
      levelOf(
        knownPollNoProgress,
        times(200, (at) => asked(`${at} %`)),
      ),
    ).toBeUndefined()
  })

  it('begins anew with every change, also with one that comes back', () => {
    const stages = [...polls(19), asked('stage 2'), ...polls(9)]
    expect(levelOf(knownPollNoProgress, stages)).toBeUndefined()
    expect(levelOf(knownPollNoProgress, [...stages, asked()])).toBe('warning')
  })
})

describe('given pauses on purpose', () => {
  it('has more patience with `sleep 30`: told after 40, refused after 50', () => {
    expect(
      firstAt(
        knownPollNoProgress,
        times(55, () => slept),
      ),
    ).toEqual({ warning: 40, critical: 50 })
  })

  it('has more patience with a poll that is asked between pauses', () => {
    const job = times(110, (at) => (at % 2 === 0 ? slept : asked()))
    expect(firstAt(knownPollNoProgress, job)).toEqual({ warning: 79, critical: 99 })
  })

  it('has it not for a single pause among many questions', () => {
    const impatient = [...polls(10), slept, ...polls(10)]
    expect(levelOf(knownPollNoProgress, impatient)).toBe('critical')
  })

  it('has it where at least every second question had a pause before it', () => {
    const at = (every: number) => times(90, (index) => (index % (every + 1) === 0 ? slept : asked()))
    const questions = (every: number, critical: number | undefined) =>
      critical === undefined ? undefined : critical - Math.ceil(critical / (every + 1))
    expect(questions(2, firstAt(knownPollNoProgress, at(2)).critical)).toBe(50)
    expect(questions(3, firstAt(knownPollNoProgress, at(3)).critical)).toBe(20)
  })
})
