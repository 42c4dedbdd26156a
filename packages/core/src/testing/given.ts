/**
 * Given-when-then over events, for tests of one's own policies, rules and prompts:
 * `given(facts).whenDecided().then({ kind: 'stop', transition: { reason: 'task_complete' } })`.
 * It knows no test framework: what does not hold throws `AssertionError`.
 */
import { decide, type Decision, type Judgement } from '../decide/index.ts'
import { deterministicVeto } from '../decide/policies/index.ts'
import { englishPrompts } from '../decide/prompts/index.ts'
import { hardCaps } from '../rules/caps/index.ts'
import { refusedCalls } from '../rules/detectors/index.ts'
import { converse, emptyConversation, fold, type Conversation, type RunState } from '../state/index.ts'
import { currentSchemaVersion, type RunEvent, type NewEvent } from '../events/index.ts'
import { assertMatches, type PartOf } from './assert-matches.ts'

/** Nothing happens for so long before the next fact. */
export interface TimePassed {
  readonly type: 'time-passed'
  readonly ms: number
}

export function timePassed(ms: number): TimePassed {
  return { type: 'time-passed', ms }
}

/** A fact, time, or several of them. */
export type Step = NewEvent | TimePassed | readonly Step[]

export interface Stamping {
  readonly runId?: string
  /** Time of the first event. */
  readonly startMs?: number
  /** Time between two events. */
  readonly stepMs?: number
}

/** Some fields of a decision; lists are compared whole. */
export type DecisionPart = Decision extends infer One
  ? One extends Decision
    ? PartOf<One> & Pick<One, 'kind'>
    : never
  : never

export interface Given {
  readonly events: readonly RunEvent[]
  readonly state: RunState
  readonly conversation: Conversation
  /** The same with more facts. */
  and(...steps: readonly Step[]): Given
  /** The same after every finding was told that is told before anything else. */
  afterNotes(judgement?: Partial<Judgement>): Given
  whenDecided(judgement?: Partial<Judgement>): Decided
  /** @param check throws when the state is not as it should be; what it returns is ignored */
  thenState(check: (state: RunState) => unknown): Given
}

export interface Decided {
  readonly decision: Decision
  /** @throws {AssertionError} where a field that is given differs */
  then(expected: DecisionPart | ((decision: Decision) => unknown)): Given
}

/** Hard caps, the detector of refused calls, the deterministic veto, and English. */
export const standardJudgement: Judgement = {
  rules: [...hardCaps, refusedCalls()],
  policy: deterministicVeto,
  prompts: englishPrompts,
}

/** @throws {TypeError} when the first fact is not `run-started` */
export function given(...steps: readonly Step[]): Given {
  return givenFrom(stamp(steps))
}

/** The same with other times or another run id. */
export function givenWith(stamping: Stamping, ...steps: readonly Step[]): Given {
  return givenFrom(stamp(steps, stamping), stamping)
}

/** Facts with the headers that a recorder would give them. */
export function stamp(steps: readonly Step[], stamping: Stamping = {}): readonly RunEvent[] {
  return append([], steps, stamping)
}

function append(past: readonly RunEvent[], steps: readonly Step[], stamping: Stamping): readonly RunEvent[] {
  const { runId = 'run-1', startMs = 1_000_000, stepMs = 10 } = stamping
  const last = past.at(-1)
  let nextMs = last === undefined ? startMs : last.timeMs + stepMs
  const events = [...past]
  for (const step of flatten(steps)) {
    if (step.type === 'time-passed') {
      nextMs += step.ms
      continue
    }
    const sequence = events.length + 1
    const id = `event-${String(sequence).padStart(6, '0')}`
    events.push({ schemaVersion: currentSchemaVersion, id, runId, sequence, timeMs: nextMs, ...step })
    nextMs += stepMs
  }
  return events
}

function flatten(steps: readonly Step[]): readonly (NewEvent | TimePassed)[] {
  return steps.flatMap((step) => ('type' in step ? [step] : flatten(step)))
}

function givenFrom(events: readonly RunEvent[], stamping: Stamping = {}): Given {
  const state = stateOf(events)
  const self: Given = {
    events,
    state,
    conversation: events.reduce(converse, emptyConversation),
    and: (...steps) => givenFrom(append(events, steps, stamping), stamping),
    afterNotes(judgement) {
      const { decision } = self.whenDecided(judgement)
      if (decision.kind !== 'note') return self
      return self.and({ type: 'finding-noted', finding: decision.finding }).afterNotes(judgement)
    },
    whenDecided(judgement) {
      const decision = decide(state, { ...standardJudgement, ...judgement })
      return {
        decision,
        then(expected) {
          if (typeof expected === 'function') expected(decision)
          else assertMatches(decision, expected)
          return self
        },
      }
    },
    thenState(check) {
      check(state)
      return self
    },
  }
  return self
}

function stateOf(events: readonly RunEvent[]): RunState {
  const state = fold(events)
  if (state === undefined) throw new TypeError('given() needs at least the fact run-started')
  return state
}
