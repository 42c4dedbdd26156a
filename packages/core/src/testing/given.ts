/** Given-when-then over events: `given(facts).whenDecided().then({ kind: 'stop' })`, for any test runner. */
import { AssertionError } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import { decide, type Decision, type Judgement } from '../decide/index.ts'
import { deterministicVeto } from '../decide/aggregate/index.ts'
import { englishPrompts } from '../decide/prompts/index.ts'
import { hardCaps } from '../rules/caps/index.ts'
import { refusedCalls } from '../rules/detectors/index.ts'
import { converse, emptyConversation, fold, type Conversation, type RunState } from '../state/index.ts'
import { currentSchemaVersion, type RunEvent, type NewEvent } from '../events/index.ts'

/** Some fields of an object and its nested objects; lists are complete. */
type PartOf<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: PartOf<Value[Key]> | undefined }
    : Value

/**
 * Asserts that every field of `expected` is equal; other fields may be anything, and an undefined field must
 * be absent.
 * @throws {AssertionError} with both values
 */
export function assertMatches<Value>(actual: Value, expected: PartOf<Value>): void {
  const place = differs(actual, expected, '')
  if (place === undefined) return
  const message = `differs at ${place === '' ? 'the root' : place}\nexpected: ${show(expected)}\nactual: ${show(actual)}`
  throw new AssertionError({ message, actual, expected, operator: 'assertMatches' })
}

function differs(actual: unknown, expected: unknown, place: string): string | undefined {
  if (!isRecord(expected)) return isDeepStrictEqual(actual, expected) ? undefined : place
  if (!isRecord(actual)) return place
  for (const [key, value] of Object.entries(expected)) {
    const found = differs(actual[key], value, place === '' ? key : `${place}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function show(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}

interface TimePassed {
  readonly type: 'time-passed'
  readonly ms: number
}

export function timePassed(ms: number): TimePassed {
  return { type: 'time-passed', ms }
}

export type Step = NewEvent | TimePassed | readonly Step[]

export interface Stamping {
  readonly runId?: string
  readonly startMs?: number
  readonly stepMs?: number
}

type DecisionPart = Decision extends infer One
  ? One extends Decision
    ? PartOf<One> & Pick<One, 'kind'>
    : never
  : never

export interface Given {
  readonly events: readonly RunEvent[]
  readonly state: RunState
  readonly conversation: Conversation
  and(...steps: readonly Step[]): Given
  /** Continues after the findings that are reported before anything else. */
  afterNotes(judgement?: Partial<Judgement>): Given
  whenDecided(judgement?: Partial<Judgement>): Decided
  /** @param check throws if the state is wrong; its result is ignored */
  thenState(check: (state: RunState) => unknown): Given
}

interface Decided {
  readonly decision: Decision
  /** @throws {AssertionError} if a given field differs */
  then(expected: DecisionPart | ((decision: Decision) => unknown)): Given
}

/** Hard caps, the detector of refused calls, the deterministic veto, and English. */
export const standardJudgement: Judgement = {
  rules: [...hardCaps, refusedCalls()],
  aggregate: deterministicVeto,
  prompts: englishPrompts,
}

/** @throws {TypeError} if the first fact is not `run-started` */
export function given(...steps: readonly Step[]): Given {
  return givenFrom(stamp(steps))
}

/** Like `given`, with other times or another run id. */
export function givenWith(stamping: Stamping, ...steps: readonly Step[]): Given {
  return givenFrom(stamp(steps, stamping), stamping)
}

/** Adds the headers that a recorder would add. */
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
