/**
 * What a verifier said, and what it saw.
 * Only `passed` counts as passed; everything that could not be decided is `error` (invariants I6, I7).
 */

export const verdictStatuses = ['passed', 'failed', 'error', 'skipped', 'pending'] as const
export type VerdictStatus = (typeof verdictStatuses)[number]

export const verdictQualifiers = [
  'flaky',
  'pre-existing',
  'infrastructure',
  'tampered',
  'unverifiable',
  'cached',
  'shadow',
  'waived',
  /** A judge whose word was not measured enough, believed because somebody said so by name. */
  'uncalibrated',
  /** A judge of the model family that also drives. */
  'same-family',
] as const
export type VerdictQualifier = (typeof verdictQualifiers)[number]

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
  /** First 12 hex digits of the SHA-256 of the name of every executed test. Only on the baseline tree, to compare with. */
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
export const guardResponses = ['refuse', 'restore', 'ask', 'note'] as const
export type GuardResponse = (typeof guardResponses)[number]

/**
 * Where a check looked, where that was not the work folder alone: a clean copy of it, the independent tree (the baseline's
 * check side under the delivered product), or the delivered and the independent tree, one after the other.
 */
export const verdictTrees = ['clean-copy', 'independent-tree', 'both-trees'] as const
export type VerdictTree = (typeof verdictTrees)[number]

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

/** What a judge may find wrong with an answer; users may declare more. */
export const judgeCategories = [
  'goal_missed',
  'incomplete',
  'rule_violation',
  'tone_mismatch',
  'refusal',
] as const

/** Words that a judge rests on. */
export interface JudgeQuote {
  readonly text: string
  /** Id of an event, or a path in the work folder. Absent: the answer. */
  readonly source?: string
}

export const judgeAnswerKinds = ['met', 'not-met', 'abstained'] as const

/** One judge's own word, whatever was made of it: of a panel there are several. */
export interface JudgeEvidence {
  readonly kind: 'judge'
  /** For people, such as a model's name. */
  readonly judge: string
  readonly family?: string
  /** SHA-256, hex, of the model and of its prompts. */
  readonly identity?: string
  readonly said: (typeof judgeAnswerKinds)[number]
  readonly reason: string
  /** One of `judgeCategories`, or one that the user has declared. */
  readonly category?: string
  readonly score?: number
  readonly quotes: readonly JudgeQuote[]
  /** What the order of the choices in its prompt was shuffled by. */
  readonly seed?: number
  /** Of all its tries; absent: none were used, or nobody knows. */
  readonly tokens?: number
  /** Null: the price is unknown, or there is none. */
  readonly costUsd: number | null
}

export type Evidence =
  | JudgeEvidence
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
