/**
 * What a verifier said, and what it saw. Shapes of the design, section 4.1.
 * Only `passed` counts as passed; everything that could not be decided is `error` (invariants I6, I7).
 */

export type VerdictStatus = 'passed' | 'failed' | 'error' | 'skipped' | 'pending'

export type VerdictQualifier =
  'flaky' | 'pre-existing' | 'infrastructure' | 'tampered' | 'unverifiable' | 'cached' | 'shadow' | 'waived'

/** The two ends of a long text, and the digest of all of it. */
export interface OutputExcerpt {
  readonly head: string
  readonly tail: string
  readonly totalBytes: number
  /** Bytes that stand between head and tail and are not kept here. 0 when head is the whole text. */
  readonly omittedBytes: number
  /** SHA-256 of the whole output, hex. */
  readonly digest: string
}

/** One process that a verifier ran. */
export interface CommandEvidence {
  readonly kind: 'command'
  readonly command: string
  readonly folder: string
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly output: OutputExcerpt
  /** SHA-256 over the sorted environment (names and values), hex. The values themselves are not kept. */
  readonly environmentDigest: string
}

/** Something a verifier wants to be read: a sentence, a value, a quote. */
export interface NoteEvidence {
  readonly kind: 'note'
  readonly text: string
}

/** Counts of a test report. `total` is the sum of the others; executed are the passed, failed and errored ones. */
export interface TestCounts {
  readonly passed: number
  readonly failed: number
  /** Did not get as far as an answer: a crash, a file that cannot be loaded. */
  readonly errored: number
  readonly skipped: number
  readonly total: number
}

export interface TestCase {
  /** Suites and title, joined by ` > `. */
  readonly name: string
  /** Relative to the folder of the check. */
  readonly file?: string
  /** From 1. */
  readonly line?: number
  readonly message?: string
}

/** What a test runner counted. */
export interface TestsEvidence {
  readonly kind: 'tests'
  /** Where it was read, such as `junit` or `vitest-json`; `text` where only the runner's words told it. */
  readonly format: string
  readonly counts: TestCounts
  /** Failed or errored, at most 1,000. */
  readonly failed: readonly TestCase[]
  /** Names, at most 1,000. */
  readonly skipped: readonly string[]
  /** First 12 hex digits of the SHA-256 of the name of every executed test. Only on the untouched tree, to compare with. */
  readonly executedDigests?: readonly string[]
}

/** A file that was looked at. */
export interface FileEvidence {
  readonly kind: 'file'
  /** Relative to the folder of the check. */
  readonly path: string
  /** SHA-256 of the content, hex; null: there is no such file. */
  readonly digest: string | null
  readonly bytes: number
}

/** A number that was compared with a bound, such as a similarity or a share of caught mutants. */
export interface MeasureEvidence {
  readonly kind: 'measure'
  readonly name: string
  readonly value: number
  /** What it was compared with. */
  readonly bound?: number
}

/** What is done about a finding of the tamper guard: `ask` waits for authority. `restore` stands in older records only. */
export type GuardResponse = 'refuse' | 'restore' | 'ask' | 'note'

/**
 * Where a check looked, where that was not the work folder alone: a clean copy of it, the independent tree (the baseline's
 * check side under the delivered product), or the delivered and the independent tree, one after the other.
 */
export type VerdictTree = 'clean-copy' | 'independent-tree' | 'both-trees'

/** Who let something pass, until when, and why. */
export interface Waiver {
  readonly by: string
  /** The last day on which it holds, `YYYY-MM-DD`. */
  readonly until: string
  readonly reason: string
}

/** Something that somebody should look at, with its place. */
export interface FindingEvidence {
  readonly kind: 'finding'
  /** Such as `test.deleted`. */
  readonly rule: string
  readonly response: GuardResponse
  /** What was found, in one sentence. */
  readonly message: string
  /** Why it matters. */
  readonly why: string
  /** Relative to the work folder. */
  readonly path?: string
  /** From 1. */
  readonly line?: number
  readonly waiver?: Waiver
}

/** Changes of the check side that somebody allowed by name: without that the verdict would not stand. */
export interface AuthorityEvidence {
  readonly kind: 'authority'
  /** Relative to the work folder, or the name of what was allowed where it is no file of it. */
  readonly paths: readonly string[]
  /** A person, or the flag or waiver that says so. */
  readonly by: string
  readonly reason: string
}

export type Evidence =
  | CommandEvidence
  | NoteEvidence
  | TestsEvidence
  | FileEvidence
  | MeasureEvidence
  | FindingEvidence
  | AuthorityEvidence

export interface Verdict {
  /** Name of the verifier, unique in a run. */
  readonly verifier: string
  readonly status: VerdictStatus
  /** One sentence for a person and for the model. */
  readonly reason: string
  /** False: no further turn can mend it. */
  readonly canRetry: boolean
  /** 0 to 1. */
  readonly score?: number
  readonly qualifiers: readonly VerdictQualifier[]
  readonly evidence: readonly Evidence[]
  readonly durationMs: number
  readonly costUsd?: number
  /** Fingerprint of the workspace that was looked at. */
  readonly fingerprint?: string
  readonly tree?: VerdictTree
}
