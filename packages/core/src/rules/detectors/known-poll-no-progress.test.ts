import { describe, expect, it } from 'vitest'
import { knownPollNoProgress } from './equal-calls.ts'
import { firstAt, levelOf, times, viewOf, type Made } from './stories/made-calls.test.ts'

const asked = (outcome = 'running'): Made => ({ tool: 'command_status', call: 'poll', outcome, waits: true })
const slept: Made = { call: 'sleep 30', outcome: '', waits: true, pauses: true, said: 'nothing' }
const row = (count: number, outcome?: string) => times(count, () => asked(outcome))

describe('given a poll whose answer stays', () => {
  it('tells after the 10th and refuses after the 20th', () => {
    expect(firstAt(knownPollNoProgress, row(25))).toEqual({ warning: 10, critical: 20 })
  })

  it('says which and how often, and what to do instead', () => {
    const detection = knownPollNoProgress(viewOf(row(20)))
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

  it('is not deceived by other calls between the questions', () => {
    expect(
      firstAt(
        knownPollNoProgress,
        times(50, (at) => (at % 2 === 0 ? asked() : {})),
      ),
    ).toEqual({ warning: 19, critical: 39 })
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
    const stages = [...row(19), asked('stage 2'), ...row(9)]
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
    const impatient = [...row(10), slept, ...row(10)]
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

describe('given calls that are none of its business', () => {
  it('does not take an unknown answer for an equal one', () => {
    const unknown: Made = { call: 'poll', outcome: null, waits: true }
    expect(
      levelOf(
        knownPollNoProgress,
        times(60, () => unknown),
      ),
    ).toBeUndefined()
  })
})
