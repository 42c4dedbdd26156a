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
const maxCandidateLength = 4_096

/**
 * Texts that a part of a word may become. A zero byte, which no word can have, stands where the shell would split.
 * Undefined: it cannot be told.
 */
export type Candidates = readonly string[] | undefined

export const separator = '\0'

/** Every text of the first with every text of the second behind it. */
export function joinCandidates(first: readonly string[], second: readonly string[]): readonly string[] {
  const all = first.flatMap((before) => second.map((after) => before + after))
  return boundCandidates(all)
}

export function boundCandidates(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter(({ length }) => length <= maxCandidateLength).slice(0, maxCandidates)
}

/** As an expansion outside of quotes is split. */
export function splitting(text: string, separators: string): string {
  return Array.from(text, (letter) => (separators.includes(letter) ? separator : letter)).join('')
}

/** The words that a text becomes; a text that is quoted is one even where it is empty. */
export function fieldsOf(text: string, isQuoted: boolean): readonly string[] {
  const fields = text.split(separator).filter((field) => field !== '')
  return fields.length === 0 && isQuoted ? [''] : fields
}
