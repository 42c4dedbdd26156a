import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failedVerdict, stamp, runStarted } from '../../testing/index.ts'
import { modelProposed, toolCall, verdictGiven } from '../../testing/facts.ts'
import type { Fact } from '../event.ts'
import { factOfType, factTypes, laterFact } from '../../testing/generated/generated-events.test.ts'
import { parseEvent } from './parse.ts'

/** What a store keeps of an event: JSON. */
function stored(fact: Fact): Readonly<Record<string, unknown>> {
  const [event] = stamp([{ ...fact, durationMs: 3 }])
  return JSON.parse(JSON.stringify(event)) as Readonly<Record<string, unknown>>
}

function problemOf(value: unknown): string {
  const parsed = parseEvent(value)
  return parsed.kind === 'invalid' ? parsed.problem : 'no problem'
}

describe('given an event that was written by this version', () => {
  it.each(factTypes)('%s comes back as it was', (type) => {
    fc.assert(
      fc.property(factOfType[type] as fc.Arbitrary<Fact>, (fact) => {
        const before = stored(fact)
        expect(parseEvent(before)).toEqual({ kind: 'event', event: before })
      }),
    )
  })

  it('drops a field that it does not know', () => {
    const before = stored(runStarted())
    expect(parseEvent({ ...before, mood: 'good' })).toEqual({ kind: 'event', event: before })
  })
})

describe('given an event of another version', () => {
  it('names a newer one and the way out', () => {
    expect(problemOf({ ...stored(runStarted()), schemaVersion: 2 })).toMatch(
      /version 2.*up to 1.*update donecheck/,
    )
  })

  it('names a newer one of a type that this version does not know', () => {
    expect(problemOf({ schemaVersion: 7, type: 'dream-dreamt' })).toContain('version 7')
  })

  it.each([0, '1', null, undefined])('does not take %j for a version', (schemaVersion) => {
    expect(problemOf({ ...stored(runStarted()), schemaVersion })).toMatch(/^schemaVersion: /)
  })
})

describe('given something that is no event', () => {
  it.each([null, undefined, 42, 'run-started', [], true, new Date(0)])('says so of %j', (garbage) => {
    expect(problemOf(garbage)).toMatch(/^(event|type): ./)
  })

  it('names an unknown type', () => {
    expect(problemOf({ ...stored(runStarted()), type: 'dream-dreamt' })).toMatch(/^type: /)
  })

  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything(), (anything) => {
        expect(parseEvent(anything).kind).toBe('invalid')
      }),
    )
  })

  it('does not throw on arguments that are nested beyond measure', () => {
    let deep: unknown = 0
    for (let level = 0; level < 20_000; level += 1) deep = [deep]
    expect(parseEvent({ ...stored(runStarted()), recipe: deep }).kind).toBe('invalid')
  })
})

/** Fields that events have only sometimes. */
const optionalKeys = [
  'request',
  'subGoals',
  'rules',
  'tags',
  'tool-returned.advances',
  'sub-run-started.subGoalId',
  'sub-run-started.elsewhere',
  'goal-changed.verifiers',
  'durationMs',
  'feedback',
  'problem',
  'notice',
  'outcome',
  'failure',
  'changed',
  'label',
  'scope',
  'shadow',
  'note',
  'told',
  'hook-ran.callId',
  'agent-plan-reported.leftOut',
  'reply-settled.skip',
]

describe('given an event that was damaged', () => {
  it('names a place in it when a field is gone', () => {
    fc.assert(
      fc.property(laterFact, fc.nat(), (fact, choice) => {
        const whole = stored(fact)
        const keys = Object.keys(whole).filter(
          (key) => !optionalKeys.includes(key) && !optionalKeys.includes(`${fact.type}.${key}`),
        )
        const lost = keys[choice % keys.length] ?? ''
        const rest = Object.fromEntries(Object.entries(whole).filter(([key]) => key !== lost))
        expect(problemOf(rest)).toMatch(new RegExp(`^${lost}: .`))
      }),
    )
  })

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['sequence', { ...stored(runStarted()), sequence: 0 }],
    ['sequence', { ...stored(runStarted()), sequence: 1.5 }],
    ['timeMs', { ...stored(runStarted()), timeMs: '2026-01-01' }],
    [
      'verdict.status',
      { ...stored(verdictGiven(failedVerdict('x'))), verdict: { ...failedVerdict('x'), status: 'PASSED' } },
    ],
    [
      'verdict.canRetry',
      { ...stored(verdictGiven(failedVerdict('x'))), verdict: { ...failedVerdict('x'), canRetry: 'yes' } },
    ],
    [
      'verdict.score',
      { ...stored(verdictGiven(failedVerdict('x'))), verdict: { ...failedVerdict('x'), score: 2 } },
    ],
    ['toolCalls.0.callId', { ...stored(modelProposed('a')), toolCalls: [{ ...toolCall('a'), callId: 7 }] }],
  ])('names %s', (place, damaged) => {
    expect(problemOf(damaged)).toMatch(new RegExp(`^${place}: .`))
  })
})
