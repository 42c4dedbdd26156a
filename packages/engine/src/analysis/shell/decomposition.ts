/** What a command line would run, as far as that can be known without running it. */

/** From, to, in UTF-16 units of the whole line. Null: in a string that another program would read, or not literally there. */
export type Span = readonly [number, number] | null

/** Null: only known when it runs. */
export type FoundWord = { readonly text: string | null; readonly written: string; readonly span: Span }

/** One program that would be started, or a builtin of the shell. */
export interface FoundCommand {
  /** The first is the program. Never empty. */
  readonly words: readonly FoundWord[]
  readonly span: Span
  /** The programs through which it is started, outermost first, such as `['sudo', 'sh -c']`; empty: by the line itself. */
  readonly through: readonly string[]
  /** It only starts another command that is found too, and neither changes what that one means nor gives it more rights (`nice`, `timeout`, `command`). */
  readonly isTransparent: boolean
  /** Standard input, where it is a heredoc or a herestring without expansions. */
  readonly input?: string
  /** Where its span is null: the place of the words of the line that hold its text, such as the string of `sh -c '…'`. */
  readonly holder?: NonNullable<Span>
}

export type ObstacleKind =
  /** It cannot be parsed. */
  | 'syntax'
  /** The program is only known when it runs. */
  | 'dynamic-program'
  /** An argument is only known when it runs: an expansion, a glob. */
  | 'dynamic-word'
  /** A text that is only known when it runs is run as commands (`eval "$x"`, `sh -c "$x"`, `sh` reading a pipe, `source file`). */
  | 'dynamic-script'
  /** A variable is set that can change what programs do (`PATH`, `LD_PRELOAD`, `GIT_SSH_COMMAND`, and every name that is not known to be harmless). */
  | 'environment'
  /** A function or an alias is defined: names no longer mean what they say. */
  | 'redefinition'
  /** Run with other rights, by another machine, or later: `sudo`, `ssh`, `trap`, `xargs` with words from its input. */
  | 'elsewhere'
  /** More than may be looked at: nesting, commands, or length. */
  | 'too-deep'

export interface Obstacle {
  readonly kind: ObstacleKind
  /** One sentence that quotes the part. */
  readonly reason: string
  readonly span: Span
  /**
   * What it is about, where that is literal: the variable that is set, the function or alias that is defined, the file that is read
   * as commands, the signal of a trap whose text was looked into.
   */
  readonly subject?: string
}

/** A file that the line itself opens for writing (`>`, `>>`, `>|`, `&>`, `<>`). */
export interface WriteTarget {
  /** Null: only known when it runs. */
  readonly path: string | null
  readonly span: Span
}

/** A file that the line itself opens for reading (`<`, `<>`). */
export interface ReadTarget extends WriteTarget {
  /** As it stands there. */
  readonly written: string
}

export interface Decomposition {
  /** Every literal command anywhere in the line, in the order of their places; nothing that could be run is left out unless an obstacle says so. */
  readonly commands: readonly FoundCommand[]
  /** Empty: all that would be run is in `commands`, each with all its words. Only then may it be allowed. */
  readonly obstacles: readonly Obstacle[]
  readonly writes: readonly WriteTarget[]
  /** Absent: none. */
  readonly reads?: readonly ReadTarget[]
}
