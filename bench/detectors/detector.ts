/** What every detector of the comparison sees and says: ours, the rivals', and the real ones loaded from their packages. */
import type { JsonValue } from '@donecheck/core/events'

/** One tool call with what came back of it, as far as it is known. */
export interface CallStep {
  readonly kind: 'call'
  /** Counted from 0 over the whole run. */
  readonly index: number
  /** Turn of the model that asked for it; calls of one turn are a batch. */
  readonly turn: number
  readonly tool: string
  /** May be cut: compare `argsDigest`. */
  readonly args: JsonValue
  readonly argsDigest: string
  /** May be cut: compare `resultDigest`. Null: unknown. */
  readonly result: string | null
  readonly resultDigest: string | null
  /** Null: the source does not say. */
  readonly isError: boolean | null
}

/** A reply of the model: its text stands before the calls of its turn. */
export interface ReplyStep {
  readonly kind: 'reply'
  readonly turn: number
  readonly text: string
  /** Calls that follow in this turn. */
  readonly calls: number
}

/** What was said to the agent that is not a tool's result: its user, a simulator, a complaint about its format. */
export interface MessageStep {
  readonly kind: 'message'
  readonly turn: number
  readonly text: string
}

export type Step = ReplyStep | CallStep | MessageStep

/** `warn`: the model is told. `refuse`: this call would not run. `stop`: the run would end. */
export interface Alarm {
  readonly level: 'warn' | 'refuse' | 'stop'
  readonly rule: string
  /** The alarm comes before the call runs (its result is not needed), so the call itself is saved as well. */
  readonly before?: boolean
}

/** A detector at work on one run. It never sees how the run ends. */
export interface Watch {
  /** At most one alarm a step: the gravest. */
  observe(step: Step): Alarm | undefined
}

export interface Detector {
  readonly name: string
  /** Looks at results, not only at calls. */
  readonly readsResults: boolean
  begin(): Watch
  /**
   * Reads a step as it would be read when it is recorded, so that only comparing is left to `observe`. Where the cost of a call
   * is measured, it is called before the clock starts: to every detector its digests are given.
   */
  readonly digest?: (step: Step) => void
}
