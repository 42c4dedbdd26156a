import type { JsonValue, RunEvent, VerificationTrigger } from '@donecheck/core/internal/events'
import type { Verdict, VerdictQualifier, VerdictTree } from '@donecheck/core/internal/events/verdicts'
import type { VerifierDescription } from '@donecheck/core/internal/events/settings'

export interface VerifierContext {
  readonly runId: string
  /** The work folder or a copy; null if the run has no folder. */
  readonly workFolder: string | null
  /** The original work folder, if `workFolder` is a copy. */
  readonly projectFolder?: string | null
  /** Present if `workFolder` is in a clean room, so this run decides. */
  readonly cleanRoom?: CleanRoom
  /** It passed on this tree just now and is asked once more, to see that this was no luck. Default: false. */
  readonly isRepeated?: boolean
  readonly task: string
  /** The agent's latest text. */
  readonly finalText: string
  readonly trigger: VerificationTrigger
  readonly turn: number
  readonly fingerprint: string | undefined
  /** This verifier's verdict on the baseline tree, if any. */
  readonly baseline: Verdict | undefined
  /** Baseline tests that may be missing: `any` if the restored tree runs them, or approved files. */
  readonly mayBeGone?: 'any' | readonly string[] | undefined
  /** Absent outside a run. */
  readonly state?: VerifierState
  /** Available record of the run. Absent outside a run. */
  readonly events?: () => readonly RunEvent[]
  /** Receives output while the check runs. */
  readonly onOutput?: (piece: string) => void
  /** Takes the id of the stored question that the verdict waits for; the run suspends until its answer. */
  readonly putOff?: (openQuestion: string) => void
}

/** Rebuilt before every deciding run, so planted files vanish. Its environment hides the work folder. */
export interface CleanRoom {
  /** The tree, equal to the context's `workFolder`. Exclusive. */
  readonly folder: string
  /** Complete environment with the room's HOME, TMPDIR and PATH. */
  readonly environment: Readonly<Record<string, string>>
}

export interface VerifierState {
  /** Earlier verdicts of this verifier, oldest first, if available. */
  readonly history: readonly Verdict[]
  readonly calls: { readonly model: number; readonly tools: number }
  /** As reported by the agent. */
  readonly usage: {
    readonly inputTokens: number
    readonly outputTokens: number
    /** Null if the price is unknown. */
    readonly costUsd: number | null
  }
}

/** Full output too long for an event, stored next to the stream by digest. */
export interface Attachment {
  readonly digest: string
  readonly content: string
}

export interface VerifierResult extends Omit<Verdict, 'verifier' | 'durationMs' | 'fingerprint'> {
  readonly attachments?: readonly Attachment[]
}

/** Undecided: never passed (I6); another turn may fix it. */
export function undecidedResult(reason: string, ...qualifiers: readonly VerdictQualifier[]): VerifierResult {
  return { status: 'error', reason, canRetry: true, qualifiers, evidence: [] }
}

/** Inputs besides tree and answer: if all are equal, the verdict is equal. */
export interface VerifierInputs {
  /** Kind of check and options that affect its verdict. */
  readonly definition: JsonValue
  /** Hex SHA-256 of the environment it runs in; undefined if it uses none. */
  readonly environmentDigest: string | undefined
}

/** Why a pass needs confirmation. */
export type PassDoubt =
  /** Its line always succeeds. */
  | { readonly kind: 'certain' }
  /** Runs programs that may check nothing, so it must be seen to fail once. `line`: as given. */
  | { readonly kind: 'unseen'; readonly line: string }

export interface RetryPolicy {
  /** After an `error` with `infrastructure`, with growing pauses. */
  readonly infrastructure: number
  /** After a `failed`, to detect flakiness. */
  readonly failure: number
}

export interface Verifier {
  readonly description: VerifierDescription
  /** Current value; undefined disables reuse of verdicts. */
  readonly inputs?: VerifierInputs | undefined
  /** Default: none. */
  readonly retry?: RetryPolicy
  /** Runs alone. Default false. */
  readonly exclusive?: boolean
  /** Its source is unspecified, so without a work folder it reads the answer. */
  readonly readsAnswerWithoutFolder?: true
  /** `work-folder`: the working tree instead of the guard's copy. Default `checked-tree`. */
  readonly looksAt?: 'checked-tree' | 'work-folder'
  /** Why a pass needs confirmation. @returns undefined if it can be believed */
  doubt?(): PassDoubt | undefined
  /** Whether its last run read things that change between turns: answer, counts, events. */
  hasReadRun?(): boolean
  /** Determines `inputs` if that takes I/O; called before `inputs` is read. */
  ready?(context: VerifierContext): Promise<void>
  /** Must not change the tree on purpose. */
  verify(context: VerifierContext, signal: AbortSignal): Promise<VerifierResult>
}

export interface GuardRequest {
  readonly runId: string
  /** `baseline`: save the current tree (again after a resume before the first turn). */
  readonly trigger: VerificationTrigger
  readonly turn: number
  /** An agent can be told what is wrong and try again. */
  readonly canRetry: boolean
  /** Test files in the runners' baseline reports. Default: none. */
  readonly testFiles?: readonly string[]
}

export interface GuardedTree {
  /** Recorded as the guard's own verdict. Unless `passed`, no check runs. */
  readonly report: VerifierResult
  /** The work folder or a copy. */
  readonly folder: string
  readonly kind: 'work-folder' | VerdictTree
  /** Equal for equal checked trees: part of the verdict cache key. */
  readonly variant: string
  /** A changed product source uses randomness or time, so a result may be luck. Default false. */
  readonly mayVary?: boolean
  /** Absent if results of `folder` are final. */
  readonly deciding?: DecidingRun
  /** See `VerifierContext`. */
  readonly mayBeGone?: VerifierContext['mayBeGone']
  /** Frees resources of the checks. Never rejects. */
  dispose(): Promise<void>
}

/** Decides in the clean room, on the working tree with the baseline's check files. */
export interface DecidingRun extends FaultTrial {
  /** Runs first. False: only after the check passes in the work folder. */
  readonly isFirst: boolean
  /**
   * Runs the check as needed. A needed check change is `failed`, then `pending`, unless approved. Never
   * rejects.
   * @param inPlace report on the work folder, if any
   */
  decide(inPlace: VerifierResult | undefined, check: CheckOnTree, signal: AbortSignal): Promise<DecidedReport>
}

export interface FaultTrial {
  /**
   * Tests whether a check can fail, with a broken product.
   * @param line its command line
   * @param ask runs it in a folder; never rejects
   * @throws if the tree cannot be built
   */
  tryToFail(
    line: string,
    ask: (folder: string) => Promise<VerifierResult>,
    signal: AbortSignal,
  ): Promise<FaultTrialResult>
}

export interface DecidedReport {
  readonly report: VerifierResult
  readonly tree: GuardedTree['kind']
}

export interface CheckOnTree {
  readonly name: string
  /** Kind and options as text: equal texts check the same. */
  readonly definition: string
  /** Runs programs, which parent folders may affect. */
  readonly runsPrograms: boolean
  /** Its baseline tests were counted, so a missing one is noticed. Default false. */
  readonly countsTests?: boolean
  /** The agent claims again after a failure. Default false. */
  readonly isInsistedOn?: boolean
  /** Failed on the baseline without approval: it must fail again without the run's changes. Default false. */
  readonly wasRed?: boolean
  /** Never rejects. */
  readonly ask: (
    tree: Pick<GuardedTree, 'folder' | 'mayBeGone'> & Pick<VerifierContext, 'cleanRoom'>,
    signal: AbortSignal,
  ) => Promise<VerifierResult>
}

/** Compares protected files with the baseline tree. Fails closed: a throw is `error`. */
export interface Guard {
  readonly description: VerifierDescription
  prepare(request: GuardRequest, signal: AbortSignal): Promise<GuardedTree>
}

export type FaultTrialResult =
  | { readonly kind: 'red'; readonly fault: string }
  | { readonly kind: 'green' }
  | { readonly kind: 'nothing-to-break' }
  /** Ended abnormally. */
  | { readonly kind: 'undecided'; readonly reason: string }

export interface HumanQuestion {
  readonly runId: string
  readonly check: string
  readonly question: string
  readonly details: string
}

export type HumanAnswer =
  | { readonly kind: 'approved' | 'denied'; readonly by: string; readonly reason: string }
  /** No answer yet: neither denied nor approved. */
  | {
      readonly kind: 'unanswered'
      readonly waitingFor: string
      /** Id under which a later answer is accepted. */
      readonly openQuestion?: string
    }

export interface Human {
  ask(question: HumanQuestion, signal: AbortSignal): Promise<HumanAnswer>
  /** Returns the answer so far without waiting. Absent if questions cannot be stored. */
  askOnce?(question: HumanQuestion): Promise<HumanAnswer>
}
