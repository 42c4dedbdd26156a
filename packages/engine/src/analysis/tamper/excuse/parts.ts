/** A file of tests taken apart for a proof: its tests, and everything else. */

export interface ProvenTest {
  /** All of its declaration but its name and its body: suites around it, marks, parameters, further arguments. */
  readonly head: string
  /** Normalised source of each. */
  readonly statements: readonly string[]
}

export interface FramePart {
  readonly text: string
  /** Names that it declares without doing anything else: a file that mentions none of them can be without it. Null: it has to stay. */
  readonly declares: readonly string[] | null
}

export interface Parts {
  readonly tests: readonly ProvenTest[]
  readonly frame: readonly FramePart[]
}

/**
 * Texts that every reader splits into the same lines and characters: no lone carriage return, no other control character,
 * no coding that is not UTF-8.
 */
export function isPlain(text: string): boolean {
  return !/\r(?!\n)|[^\P{Cc}\t\r\n]|[\u2028\u2029\ufeff]|coding[:=]\s*(?!utf-?8\b)/iu.test(text)
}

/** Anything in a comment that a tool might read is a part of the file; prose is none. */
export function commentParts(comments: readonly string[]): readonly FramePart[] {
  return comments
    .filter((text) => !/^[\s\w.,;()!?/*#-]*$/u.test(text) || words.test(text))
    .map((text) => ({ text: `comment ${text.replaceAll(/\s+/gu, ' ').trim()}`, declares: null }))
}

const words =
  /ignore|disable|enable|noqa|pragma|nolint|nosec|nocheck|output|build|coverage|istanbul|c8|v8|fmt|prettier/iu
