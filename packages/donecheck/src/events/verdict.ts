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

export type Evidence = CommandEvidence | NoteEvidence

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
}
