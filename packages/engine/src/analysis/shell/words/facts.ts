/** What a line itself says of its variables. Where more than one value can be meant, all are kept. */
export interface Facts {
  /** By name: every list of elements it was set to; what is no array has one. */
  readonly variables: ReadonlyMap<string, readonly (readonly string[])[]>
  /** Every list that `$1`, `$2` … may stand for. */
  readonly positional: readonly (readonly string[])[]
  /** `$0`, where the line gives it. */
  readonly zeroth?: string
  /** Names that hold nothing but numbers. */
  readonly numbers: ReadonlySet<string>
}

/** Of a line that has not been read. */
export const noFacts: Facts = {
  variables: new Map([['IFS', [[' \t\n']]]]),
  positional: [],
  numbers: new Set(),
}

/** How many values of one name are kept, and how many texts one word may become. */
export const maxCandidates = 8
/** In UTF-16 units. A text that is longer is not followed. */
export const maxCandidateLength = 4_096
