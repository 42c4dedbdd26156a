/** Recordings of version 1 from before some of its words were given others. */
import { describe, expect, it } from 'vitest'
import { everyKindOfFact, runStarted, stamp } from '../../testing/index.ts'
import type { RunEvent } from '../event.ts'
import { parseEvent, problemOfFact } from './parse.ts'

/** Today's word, and the one before it. */
const words = [
  ['final-summary-called', 'wrap-up-called'],
  ['final-summary-replied', 'wrap-up-replied'],
  ['agent-plan-reported', 'agent-plan-told'],
  ['finalSummaryTokens', 'wrapUpTokens'],
  ['finalSummary', 'wrapUp'],
  ['maxBlockedStops', 'maxSendBacks'],
  ['cycleRepeats', 'cycleLaps'],
  ['blocked_stops', 'send_backs'],
] as const

const [begun] = stamp([runStarted()])
const ended = everyKindOfFact.flatMap((fact) =>
  fact.type === 'run-stopped'
    ? [{ ...fact, transition: { ...fact.transition, reason: 'hard_cap', cap: 'blocked_stops' } }]
    : [],
)[0]
const events = [...stamp(everyKindOfFact), { ...begun, ...ended }]

function asItWasRecorded(event: object): object {
  const text = words.reduce(
    (old, [now, before]) => old.replaceAll(`"${now}"`, `"${before}"`),
    JSON.stringify(event),
  )
  const recorded: unknown = JSON.parse(text)
  return typeof recorded === 'object' && recorded !== null ? recorded : {}
}

function read(stored: unknown): RunEvent | string {
  const result = parseEvent(stored)
  return result.kind === 'event' ? result.event : result.problem
}

describe('given events in the words of before', () => {
  it('then some of them differ from those of today', () => {
    const changed = events.filter((event) => JSON.stringify(asItWasRecorded(event)) !== JSON.stringify(event))
    expect(changed.length).toBeGreaterThan(3)
  })

  it.each(events.map((event) => [event.type, event] as const))(
    'then %s is read in those of today',
    (_, event) => {
      expect(read(asItWasRecorded(event))).toEqual(read(JSON.parse(JSON.stringify(event))))
      expect(read(asItWasRecorded(event))).toBeTypeOf('object')
    },
  )

  it('then what a person has said stays as it was said', () => {
    const task = { ...begun, type: 'goal-set', task: 'wrapUp', cap: 'send_backs' }
    expect(read(task)).toMatchObject({ task: 'wrapUp' })
  })
})

it('the old words are history alone: nobody may tell them any more', () => {
  expect(problemOfFact({ type: 'wrap-up-called' })).toBeDefined()
  expect(ended && problemOfFact(ended)).toBeUndefined()
  expect(problemOfFact(asItWasRecorded({ ...ended }))).toMatch(/cap/)
})
