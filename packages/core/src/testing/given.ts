/** Given-when-then over events, for tests of policies, rules and prompts: given(facts).whenDecided().then({ kind: "stop" }). It knows no test framework: what does not hold throws AssertionError. */
import { AssertionError } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import { decide, type Decision, type Judgement } from '../decide/index.ts'
import { deterministicVeto } from '../decide/policies/index.ts'
import { englishPrompts } from '../decide/prompts/index.ts'
import { hardCaps } from '../rules/caps/index.ts'
import { refusedCalls } from '../rules/detectors/index.ts'
import { converse, emptyConversation, fold, type Conversation, type RunState } from '../state/index.ts'
import { currentSchemaVersion, type RunEvent, type NewEvent } from '../events/index.ts'

/** Some fields of an object and of the objects inside it; lists are whole. */
type PartOf<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: PartOf<Value[Key]> | undefined }
    : Value

/**
 * Every field of `expected` is there and equal; other fields may be anything. A field that is expected as undefined must be absent.
 * @throws {AssertionError} with the whole of both
 */
export function assertMatches<Value>(actual: Value, expected: PartOf<Value>): void {
  const place = differs(actual, expected, '')
  if (place === undefined) return
  const message = `differs at ${place === '' ? 'the root' : place}\nexpected: ${show(expected)}\nactual: ${show(actual)}`
  throw new AssertionError({ message, actual, expected, operator: 'assertMatches' })
}

/** The first place where they differ. */
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

/** Nothing happens for so long before the next fact. */
interface TimePassed {
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
type DecisionPart = Decision extends infer One
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

interface Decided {
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
