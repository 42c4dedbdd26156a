import type { JsonValue, RunEvent, VerificationTrigger } from '@donecheck/core/internal/events'
import type { Verdict, VerdictQualifier, VerdictTree } from '@donecheck/core/internal/events/verdicts'
import type { VerifierDescription } from '@donecheck/core/internal/events/settings'

export interface VerifierContext {
  readonly runId: string
  /** Where to look: the work folder, or a copy of it. Null: the run has no folder. */
  readonly workFolder: string | null
  /** The work folder itself. Absent: the same. */
  readonly projectFolder?: string | null
  /** `workFolder` is in a clean room: this run decides. Absent: it is the work folder itself, or an ordinary copy. */
  readonly cleanRoom?: CleanRoom
  readonly task: string
  /** The latest text of the drive. */
  readonly finalText: string
  readonly trigger: VerificationTrigger
  readonly turn: number
  readonly fingerprint: string | undefined
  /** What this verifier said of the baseline tree; undefined before, or where that was not asked. */
  readonly baseline: Verdict | undefined
  /**
   * Tests of the baseline that need not run here: `any` on a delivered tree whose earlier tests run on the independent tree;
   * those of these files, where somebody by name has allowed that they change. Absent: all of them run.
   */
  readonly mayBeGone?: 'any' | readonly string[] | undefined
  /** Absent: it is not asked by a run. */
  readonly state?: VerifierState
  /** The record of the run so far, as far as it is at hand. Absent: it is not asked by a run. */
  readonly events?: () => readonly RunEvent[]
  /** To be called with what a check prints while it runs. Absent: nobody looks on. */
  readonly onOutput?: (piece: string) => void
  /**
   * To be called with a question that is kept and that the pending verdict hangs on: the run is suspended until its answer, and
   * asks then. Absent: whoever asks a person has to wait.
   */
  readonly putOff?: (openQuestion: string) => void
}

/**
 * Where the deciding run happens: a folder of our own, laid anew before every run, so that whatever a verifier plants in it is
 * gone the next time. The work folder is not reachable from its environment.
 */
export interface CleanRoom {
  /** The laid tree: the `workFolder` of the context. Nothing else uses it meanwhile. */
  readonly folder: string
  /** The whole environment of what runs in it, with HOME, TMPDIR and PATH of the room, and nothing of ours. */
  readonly environment: Readonly<Record<string, string>>
}

/** What a verifier may know of the run so far, sub-runs included. */
export interface VerifierState {
  /** What this verifier said before, the oldest first; where a host keeps the record, as far as it is at hand. */
  readonly history: readonly Verdict[]
  readonly calls: { readonly model: number; readonly tools: number }
  /** As far as the drive has told it. */
  readonly usage: {
    readonly inputTokens: number
    readonly outputTokens: number
    /** Null: the price is unknown. */
    readonly costUsd: number | null
  }
}

/** A whole output that is too long for an event: kept beside the stream, named by its digest. */
export interface Attachment {
  readonly digest: string
  readonly content: string
}

export interface VerifierReport extends Omit<Verdict, 'verifier' | 'durationMs' | 'fingerprint'> {
  readonly attachments?: readonly Attachment[]
}

/** Nothing was found out: never passed (I6), and another turn may mend it. */
export function undecidedReport(reason: string, ...qualifiers: readonly VerdictQualifier[]): VerifierReport {
  return { status: 'error', reason, canRetry: true, qualifiers, evidence: [] }
}

/** What a verdict depends on beside the tree and the answer: where all of it is equal, the verdict is equal. */
export interface VerifierInputs {
  /** Kind of check and every option that may change its verdict. */
  readonly definition: JsonValue
  /** SHA-256, hex, of the environment that it runs in; undefined where it sees none. */
  readonly environmentDigest: string | undefined
}

/** Why the pass of a check is not believed without more. */
export type PassDoubt =
  /** It passes whatever the work is like: success is written into it. */
  | { readonly kind: 'certain' }
  /** It runs programs, which may ask nothing: it has to be seen to fail once. `line`: the command line, as given. */
  | { readonly kind: 'unseen'; readonly line: string }

/** Further tries, before a verdict stands. */
export interface RetryPolicy {
  /** After an `error` with the qualifier `infrastructure`, with a growing pause. */
  readonly infrastructure: number
  /** After a `failed`, to see whether the check is flaky. */
  readonly failure: number
}

export interface Verifier {
  readonly description: VerifierDescription
  /** As of now. Undefined: its verdict is never taken from an earlier one. */
  readonly inputs?: VerifierInputs | undefined
  /** Default: none. */
  readonly retry?: RetryPolicy
  /** Nothing else is checked meanwhile. Default false. */
  readonly exclusive?: boolean
  /** It was not said what it reads: without a work folder it is taken for a verifier of the answer. */
  readonly readsAnswerWithoutFolder?: true
  /** `work-folder`: what is delivered, whatever copy the guard prepares for other checks. Default `checked-tree`. */
  readonly looksAt?: 'checked-tree' | 'work-folder'
  /** What keeps a pass of it from being believed. @returns undefined if nothing does */
  doubt?(): PassDoubt | undefined
  /** Whether it read, when it was last run, what another turn changes beside the tree: the answer, counts, events. */
  hasReadRun?(): boolean
  /** Finds out what its inputs are, where that takes a look; asked before `inputs` is read. */
  ready?(context: VerifierContext): Promise<void>
  /** Looks at the world; never changes it on purpose. */
  verify(context: VerifierContext, signal: AbortSignal): Promise<VerifierReport>
}

export interface GuardRequest {
  readonly runId: string
  /** `baseline`: remember the tree as it is now (again, after a resume before the first turn). */
  readonly trigger: VerificationTrigger
  readonly turn: number
  /** There is a drive that can be told what is wrong and try again. */
  readonly canRetry: boolean
  /** Files of tests, by the runners' own reports on the baseline tree. Default: none. */
  readonly testFiles?: readonly string[]
}

/** The tree that the checks look at this time. */
export interface GuardedTree {
  /** What the guard says; recorded as the verdict of its own verifier. Unless it is `passed`, no check is asked. */
  readonly report: VerifierReport
  /** The work folder itself, or a copy. */
  readonly folder: string
  readonly kind: 'work-folder' | VerdictTree
  /** Equal where equal work trees give equal trees to check: part of the key of a remembered verdict. */
  readonly variant: string
  /** A source of the product that was changed asks for chance or the time: one answer of a check may be luck. Default false. */
  readonly mayVary?: boolean
  /** Absent: what a check reports of `folder` stands. */
  readonly deciding?: DecidingRun
  /** See `VerifierContext`. */
  readonly mayBeGone?: VerifierContext['mayBeGone']
  /** Frees what was taken for the checks. Never rejects. */
  dispose(): Promise<void>
}

/** The run that decides: in the clean room, on the delivered tree with the check side of the baseline. */
export interface DecidingRun extends FaultTrial {
  /** It is asked at once. False: only once the check is green in the work folder. */
  readonly isFirst: boolean
  /**
   * Asks the check as often as it takes, and says what follows. A change of the check side that the check needs is `failed`,
   * and later `pending`, unless somebody by name allows it. Never rejects.
   * @param inPlace what the check reports of the work folder as it is; undefined: it was not asked there
   */
  decide(inPlace: VerifierReport | undefined, check: CheckOnTree, signal: AbortSignal): Promise<DecidedReport>
}

export interface FaultTrial {
  /**
   * Asks whether a check can fail at all: in the tree as it is, with the product broken.
   * @param line the check's command line
   * @param ask runs the check in that folder. Never rejects
   * @throws if the tree cannot be laid
   */
  tryToFail(
    line: string,
    ask: (folder: string) => Promise<VerifierReport>,
    signal: AbortSignal,
  ): Promise<FaultTrialResult>
}

export interface DecidedReport {
  readonly report: VerifierReport
  /** What the report rests on. */
  readonly tree: GuardedTree['kind']
}

export interface CheckOnTree {
  readonly name: string
  /** It and its options, as text: equal texts ask the same. */
  readonly definition: string
  /** It runs programs, which the folders around the tree may sway. */
  readonly runsPrograms: boolean
  /** Its tests were counted on the baseline tree, so that none of them is missed unnoticed. Default false. */
  readonly countsTests?: boolean
  /** The agent claims again although it was red, so that the work folder may say something else. Default false. */
  readonly isInsistedOn?: boolean
  /** It was red on the baseline tree, and nobody vouches for it: without the changes of the run it must be red again. Default false. */
  readonly wasRed?: boolean
  /** Never rejects. */
  readonly ask: (
    tree: Pick<GuardedTree, 'folder' | 'mayBeGone'> & Pick<VerifierContext, 'cleanRoom'>,
    signal: AbortSignal,
  ) => Promise<VerifierReport>
}

/** Compares what the drive may not change with the baseline tree. Fails closed: what it throws is `error`. */
export interface Guard {
  readonly description: VerifierDescription
  prepare(request: GuardRequest, signal: AbortSignal): Promise<GuardedTree>
}

export type FaultTrialResult =
  | { readonly kind: 'red'; readonly fault: string }
  | { readonly kind: 'green' }
  | { readonly kind: 'nothing-to-break' }
  /** It did not end as a check does. */
  | { readonly kind: 'undecided'; readonly reason: string }

export interface HumanQuestion {
  readonly runId: string
  readonly check: string
  readonly question: string
  /** What there is to look at. */
  readonly details: string
}

export type HumanAnswer =
  | { readonly kind: 'approved' | 'denied'; readonly by: string; readonly reason: string }
  /** Nobody has answered yet: neither a denial nor an approval. */
  | {
      readonly kind: 'unanswered'
      readonly waitingFor: string
      /** Under which id it is kept, for an answer at any time. */
      readonly openQuestion?: string
    }

export interface Human {
  ask(question: HumanQuestion, signal: AbortSignal): Promise<HumanAnswer>
  /** Asks without waiting: what has been answered so far. Absent: it cannot be put off. */
  askOnce?(question: HumanQuestion): Promise<HumanAnswer>
}
