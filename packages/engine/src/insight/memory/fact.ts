/** What is remembered of runs: small facts, distilled without a model. */

export const memoryKinds = ['run', 'mended', 'stuck', 'detector', 'flaky'] as const
export type MemoryKind = (typeof memoryKinds)[number]

/** What one run teaches. */
export interface Lesson {
  /** Names what it is about: what is learnt of the same later takes its place. */
  readonly key: string
  readonly kind: MemoryKind
  /** One line, for people and for drives. */
  readonly text: string
  /** What it is found by, beside its text. */
  readonly words: string
  /** Of the failure that it is about; null: of none. */
  readonly shape: string | null
  /** The run that teaches it ended verified. */
  readonly isVerified: boolean
}

/** All that one run teaches. */
export interface RunLessons {
  readonly runId: string
  /** Runs in the same work folder with the same required checks are of one kind. */
  readonly kind: string
  readonly turns: number
  readonly outcome: string
  readonly endedAtMs: number
  readonly lessons: readonly Lesson[]
  /** Keys of what is known better now. */
  readonly refuted: readonly string[]
}

/** A lesson in the memory. */
export interface MemoryFact extends Lesson {
  /** Short and stable, such as `m12`. */
  readonly id: string
  readonly runId: string
  /** Milliseconds since the Unix epoch. */
  readonly learntAtMs: number
  readonly isPinned: boolean
  /** Runs that were told of it and have ended, and those of them that ended verified. */
  readonly recalled: number
  readonly helped: number
}
