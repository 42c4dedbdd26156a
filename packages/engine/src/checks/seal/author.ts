/** Who writes checks before the first turn. What they hand in is data: nothing of it is believed before it was tried. */

export interface TextFile {
  /** Relative to the work folder, `/` between its parts. */
  readonly path: string
  readonly text: string
}

/** What an author is shown of the baseline tree. */
export interface TreeExcerpt {
  /** Of its files, the likeliest first; at most so many as are shown. */
  readonly paths: readonly string[]
  /** Paths that are not listed. */
  readonly omittedPaths: number
  /** Texts of some of them; a long one is cut at its end. */
  readonly files: readonly TextFile[]
  /** The project's own checks, by name. */
  readonly checks: readonly string[]
}

export interface AuthorRequest {
  /** Of the run that begins, and pays. */
  readonly runId: string
  readonly task: string
  readonly tree: TreeExcerpt
}

export type AuthorAnswer = {
  /** Of all its calls, in US dollars. Null: not known. */
  readonly costUsd: number | null
} & (
  | {
      /** Should be a `Proposal`; what is not is recorded, and nothing is sealed of it. */
      readonly proposal: unknown
    }
  /** Why there is none. */
  | { readonly problem: string }
)

export interface CheckAuthor {
  /** For people and for the record, such as a model's name. */
  readonly name: string
  /** Rejects where nobody is there to ask. */
  propose(request: AuthorRequest, signal: AbortSignal): Promise<AuthorAnswer>
}
