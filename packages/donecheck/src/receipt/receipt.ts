/**
 * The record of what was checked, on which tree, with what result: an in-toto Statement v1 that others can read.
 * What is in it is taken from the events of one run; `verify-receipt.ts` takes it from them again.
 *
 * Its digest and its chain prove integrity against accident, and against whoever cannot rewrite the store that the events
 * come from. They are no signature: who can write both can make both agree. Sign the statement where that matters.
 */
import type { HeldOutGap } from '../core/index.ts'
import type {
  AuthorityEvidence,
  CapName,
  GuardResponse,
  LastCheck,
  Outcome,
  StopReason,
  TestCounts,
  VerdictQualifier,
  VerdictStatus,
  VerdictTree,
  VerifierRole,
  Waiver,
} from '../events/index.ts'

export const statementType = 'https://in-toto.io/Statement/v1'
export const predicateType = 'https://donecheck.dev/receipt/v1'

export interface Receipt {
  readonly _type: typeof statementType
  /** The tree as the run left it; the final answer, where a check read it or there was no tree. */
  readonly subject: readonly ReceiptSubject[]
  readonly predicateType: typeof predicateType
  readonly predicate: ReceiptPredicate
}

export interface ReceiptSubject {
  /** Name of the folder without its path, or `answer`. */
  readonly name: string
  /**
   * `sha256` of the tree as `Workspace.fingerprint` reckons it (of its text, for an answer); `gitCommit` and `gitTree` as
   * whoever wrote the receipt told them; `donecheckFingerprint` where a workspace of the user's own gives another word.
   */
  readonly digest: Readonly<Record<string, string>>
  readonly annotations: { readonly donecheck: 'tree' | 'answer' }
}

export interface ReceiptPredicate {
  readonly runId: string
  /** SHA-256 of the task's text, hex. */
  readonly taskDigest: string
  readonly end: ReceiptEnd
  /** The record was brought from elsewhere: whoever wrote this receipt has observed nothing of it. */
  readonly imported?: true
  readonly policy: { readonly name: string; readonly completeWhen: string }
  /** In the order of the run's settings. */
  readonly checks: readonly CheckedVerifier[]
  readonly findings: readonly ReceiptFinding[]
  /** Who allowed which changes of the check side. */
  readonly authority: readonly ReceiptAuthority[]
  /** Null: nothing was held out. */
  readonly heldOut: HeldOutGap | null
  /** ISO 8601, UTC, from the first and the last event. */
  readonly times: { readonly startedAt: string; readonly endedAt: string }
  readonly versions: ReceiptVersions
  readonly chain: ReceiptChain
  /** SHA-256, hex, over the canonical JSON of the whole statement without this field. */
  readonly digest: string
}

export interface ReceiptEnd {
  readonly outcome: Outcome
  readonly reason: StopReason
  readonly message: string
  readonly cap?: CapName
  readonly atCap?: CapName
  readonly detector?: string
  readonly lastCheck?: LastCheck
}

/** One verifier, and the last that it said. */
export interface CheckedVerifier {
  readonly name: string
  readonly role: VerifierRole
  readonly required: boolean
  readonly weight: number
  readonly deterministic: boolean
  /** What it said of the untouched tree; null: it was not asked. */
  readonly baseline: VerdictStatus | null
  /** Null: it was never asked. */
  readonly verdict: CheckedVerdict | null
}

export interface CheckedVerdict {
  readonly status: VerdictStatus
  readonly reason: string
  readonly qualifiers: readonly VerdictQualifier[]
  readonly score?: number
  readonly durationMs: number
  /** Of the tree that it looked at; null: there was none. */
  readonly fingerprint: string | null
  /** Where it looked, where that was not the work folder alone. */
  readonly tree?: VerdictTree
  /**
   * What it looked at is the subject. False: the tree changed afterwards, if only by what the checks themselves wrote; or
   * it looked at the independent tree alone, and what is delivered has another check side.
   */
  readonly sameTree: boolean
  readonly commands: readonly CheckedCommand[]
  readonly tests: readonly { readonly format: string; readonly counts: TestCounts }[]
  readonly files: readonly { readonly path: string; readonly digest: string | null; readonly bytes: number }[]
  readonly measures: readonly { readonly name: string; readonly value: number; readonly bound?: number }[]
  /** The event that holds all of it. */
  readonly sequence: number
  readonly at: string
  /** SHA-256, hex, over the canonical JSON of the whole verdict, notes and quotes included. */
  readonly digest: string
}

/** The folder is left out: it is a path of one machine. */
export interface CheckedCommand {
  readonly command: string
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly outputBytes: number
  readonly outputDigest: string
  readonly environmentDigest: string
}

export interface ReceiptFinding {
  /** Name of the verifier that found it. */
  readonly check: string
  readonly rule: string
  readonly response: GuardResponse
  readonly message: string
  readonly path?: string
  readonly line?: number
  readonly waiver?: Waiver
}

/** A change of the check side that was allowed by name. */
export interface ReceiptAuthority extends Omit<AuthorityEvidence, 'kind'> {
  /** Name of the verifier whose verdict rests on it. */
  readonly check: string
}

export interface ReceiptVersions {
  /** The donecheck that began the run. */
  readonly donecheck: string
  /** The donecheck and the Node that wrote the receipt, in their own words. */
  readonly receipt: string
  readonly node: string
  readonly eventSchema: number
}

/** See `chain.ts`. */
export interface ReceiptChain {
  readonly algorithm: string
  readonly head: string
  /** Number of events. */
  readonly length: number
  /** Links on the way, evenly spread, so that a changed event can be found: at most 64. */
  readonly checkpoints: readonly { readonly sequence: number; readonly link: string }[]
}
