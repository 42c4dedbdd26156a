/** How the soft tier was set up: plain numbers and words, recorded with the run, so that a resume needs nothing else. */
import type { BreakerCount, RepeatCount, RuleMode } from '../../base/index.ts'

/**
 * Detectors of tool loops and of their relatives, by the names under which the field knows them, in the order in which equal
 * detections are reported.
 */
export const detectorNames = [
  'cycle',
  'same_failure',
  'generic_repeat',
  'known_poll_no_progress',
  'ping_pong',
  'global_circuit_breaker',
  'unknown_tool_repeat',
  'argument_churn',
  'no_op_edit',
  'repeated_reply',
  'thought_loop',
  'failed_check_repeat',
  'busy_wait',
] as const

export type DetectorName = (typeof detectorNames)[number]

/** What its user knows of a tool. What is not said is guessed from the tool's name, effect and answers. */
export interface ToolTraits {
  /**
   * Asks how something stands: being asked again is its purpose. Its calls are left to `known_poll_no_progress` and
   * `busy_wait`, and count neither for `cycle` nor as words said again over nothing. False: it is none, whatever its name.
   */
  readonly poll?: boolean
  /**
   * Changes nothing. The same result is a repetition even if the work was changed in between, and none of its calls is
   * ever an edit that changed nothing. Whether the tree is looked at after it is told by the tool's `effect`, not by this.
   */
  readonly readOnly?: boolean
  /**
   * Changes the work, even if its `effect` is `execute`: a turn in which it succeeded and the tree stayed as it was counts
   * for `no_op_edit`. False: its calls never do, even if its `effect` is `write`.
   */
  readonly mutating?: boolean
  /**
   * A second call with the same arguments gives the same and does no harm: a success that repeats is told, and refused
   * only from `criticalCalls` equal ones on, by whatever detector. Failures are treated as everybody's.
   */
  readonly idempotent?: boolean
  /**
   * Keys of its arguments that differ from call to call and mean nothing, such as a request id: calls that differ in
   * nothing else are the same call. A key at the top, or a path of keys with dots (`meta.requestId`).
   */
  readonly volatileArguments?: readonly string[]
  /**
   * Keys of its JSON result that differ from call to call and mean nothing, at any depth: results that differ in nothing
   * else are the same result. A result that is no JSON is compared as it is.
   */
  readonly volatileResults?: readonly string[]
}

export interface LoopDetectionSettings {
  readonly mode: RuleMode
  /** Mode of single detectors; those that are not named follow `mode`. */
  readonly detectors: Readonly<Partial<Record<DetectorName, RuleMode>>>
  /** Calls that the detectors of equal calls look back. */
  readonly historyCalls: number
  /** Equal calls without progress after which the drive is told. */
  readonly warningCalls: number
  /** Equal calls without progress after which the next one is refused. */
  readonly criticalCalls: number
  /** `same-call`: the drive is told of equal calls whatever came of them. */
  readonly repeatCounts: RepeatCount
  /** Calls of any kind without progress after which the next one is refused. */
  readonly breakerCalls: number
  /** `every-call`: the breaker counts all calls of the task, progress or not. */
  readonly breakerCounts: BreakerCount
  /** Calls of tools that do not exist, one after the other. */
  readonly unknownToolCalls: number
  /** No call is refused before so many have run: so short a run has nothing to lose. */
  readonly warmUpCalls: number
  /** The same call with the same result, so many times in a row. */
  readonly cycleRepeats: number
  /** The same failure, so many times in a row, whatever was called. */
  readonly sameFailures: number
  /** The same set of failing checks, on so many different trees in a row that were called done. */
  readonly failedCheckRepeats: number
  /** The same answer of the drive, so many times. */
  readonly repeatedReplies: number
  /** Turns in which calls are refused before the run ends; 0: it ends as soon as a loop is critical. */
  readonly vetoesUntilEnd: number
  readonly tools: Readonly<Record<string, ToolTraits>>
}

export interface StagnationSettings {
  readonly mode: RuleMode
  /** Verifications in a row that are no better than the best before them. */
  readonly patienceVerifications: number
  /** Verifications of work that nobody called done count as one, so many together. */
  readonly changesPerClaim: number
  /** A score must exceed the best by more than this to be better. 0 to 1. */
  readonly epsilonScore: number
}

export interface TokenBudgetSettings {
  readonly mode: RuleMode
  /** Output tokens that the drive may spend before it may stop by itself. */
  readonly budgetTokens: number
  /** Share of the budget from which on it may stop. */
  readonly completionShare: number
  /** A round with fewer output tokens brings little. */
  readonly diminishingTokens: number
  /** Continuations before rounds can be called diminishing. */
  readonly minContinuations: number
  /** `classic`: the last two rounds, as the widely copied rule has it. `three-rounds`: three real rounds. */
  readonly window: 'classic' | 'three-rounds'
}

export interface SoftSettings {
  readonly loopDetection: LoopDetectionSettings
  readonly stagnation: StagnationSettings
  /** Null: the drive is not held to a budget. */
  readonly tokenBudget: TokenBudgetSettings | null
  /** Claims that the record or the work folder contradicts. Absent: `on`. */
  readonly contradictions?: RuleMode
}
