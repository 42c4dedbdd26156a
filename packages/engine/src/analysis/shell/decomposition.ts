/** Commands that a line would run, as far as the text alone can tell. */

/** Start and end in UTF-16 units of the line; null if not literally there. */
export type Span = readonly [number, number] | null

/** `text` is null if only known at run time. */
export type FoundWord = { readonly text: string | null; readonly written: string; readonly span: Span }

/** One program to start, or a shell builtin. */
export interface FoundCommand {
  /** Never empty; the first is the program. */
  readonly words: readonly FoundWord[]
  readonly span: Span
  /** Wrappers that start it, outermost first, such as `['sudo', 'sh -c']`. */
  readonly through: readonly string[]
  /** Only starts another listed command without changing its meaning or rights (`nice`, `timeout`). */
  readonly isTransparent: boolean
  /** Standard input, if it is a literal heredoc or herestring. */
  readonly input?: string
}

export type ObstacleKind =
  | 'syntax'
  | 'dynamic-program'
  /** An argument only known at run time: an expansion, a glob, or input of `xargs` and `find`. */
  | 'dynamic-word'
  /** Runs an unknown text as commands (`eval "$x"`, `sh -c "$x"`, `sh` reading a pipe, `source file`). */
  | 'dynamic-script'
  /** Sets a variable that can change what programs do, such as `PATH`, or any not known to be harmless. */
  | 'environment'
  /** Defines a function or alias, so a name may mean another program. */
  | 'redefinition'
  /** Runs with other rights, on another machine, or later (`sudo`, `ssh`, `trap`). */
  | 'elsewhere'
  | 'too-deep'

export interface Obstacle {
  readonly kind: ObstacleKind
  /** One sentence that quotes the part. */
  readonly reason: string
  readonly span: Span
  /** Literal subject: the variable, function or alias set, the file sourced, or the trap's signal. */
  readonly subject?: string
}

/** A file that the line opens for writing (`>`, `>>`, `>|`, `&>`, `<>`). */
export interface WriteTarget {
  /** Null if only known at run time. */
  readonly path: string | null
  readonly span: Span
}

/** A file that the line opens for reading (`<`, `<>`). */
export interface ReadTarget extends WriteTarget {
  readonly written: string
}

export interface Decomposition {
  /** Every literal command in order. Obstacles cover everything else that could run. */
  readonly commands: readonly FoundCommand[]
  /** If empty, `commands` is complete. Only then may a rule allow the line. */
  readonly obstacles: readonly Obstacle[]
  readonly writes: readonly WriteTarget[]
  readonly reads?: readonly ReadTarget[]
}

export interface CommandWords {
  /** Last path part in lower case, because some file systems find `RM` too; null if unknown. */
  readonly program: string | null
  readonly words: readonly FoundWord[]
  /** Long options without values and split short groups, up to `--`. */
  readonly options: readonly string[]
  /** All words that are not options, option values included, because most programs' options are unknown. */
  readonly operands: readonly Operand[]
  readonly input: string | undefined
}

export interface Operand {
  /** Null if only known at run time. */
  readonly text: string | null
  /** As written, without quotes and with `~` for the home folder. */
  readonly written: string
  readonly word: FoundWord
  readonly index: number
}

export function commandWords({ words, input }: Pick<FoundCommand, 'words' | 'input'>): CommandWords {
  const program = words[0]?.text ?? null
  const options: string[] = []
  const operands: Operand[] = []
  let isOver = false
  for (const [index, word] of words.entries()) {
    if (index === 0) continue
    const seen = word.text ?? plain(word.written)
    if (!isOver && seen === '--') isOver = true
    else if (!isOver && seen.startsWith('-') && seen !== '-') options.push(...optionsIn(seen))
    else operands.push({ text: word.text, written: plain(seen), word, index })
  }
  return { program: program === null ? null : programName(program), words, options, operands, input }
}

function optionsIn(word: string): readonly string[] {
  if (word.startsWith('--')) return [word.split('=')[0] ?? word]
  const letters = Array.from(word.slice(1))
  // `-delete` is one option to `find`, and seven to other programs.
  return letters.length > 1 ? [word.split('=')[0] ?? word, ...letters.map((letter) => `-${letter}`)] : [word]
}

/** Without quotes, and with `~` for `$HOME`. */
export function plain(written: string): string {
  return written.replaceAll(/["'\\]/gu, '').replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/u, '~')
}

/** Whether one of these options is given. Abbreviations count, as in git and GNU programs. */
export function hasOption({ options }: CommandWords, ...wanted: readonly string[]): boolean {
  return options.some((option) =>
    wanted.some(
      (name) => option === name || (option.startsWith('--') && option.length > 2 && name.startsWith(option)),
    ),
  )
}

interface Subcommand {
  readonly rest: CommandWords
  readonly index: number
}

/** Finds a subcommand. Option values are unknown, so `git -C push status` also counts as `push`. */
export function subcommand(command: CommandWords, names: readonly string[]): Subcommand | undefined {
  const words = command.words.map(({ text }) => text)
  const found = behindOptions(words, patternOf(names))
  const index = typeof found === 'object' ? found.at(-1) : undefined
  return index === undefined ? undefined : { index, rest: after(command, index) }
}

/** Whether this is the subcommand, or an unknown word may become it. */
export function mayBecome({ words }: CommandWords, names: readonly string[]): boolean {
  return behindOptions(steadyTexts(words), patternOf(names)) !== undefined
}

function patternOf(names: readonly string[]): readonly (readonly string[])[] {
  return names.map((name) => [name])
}

/** Finds a pattern among options. @returns indexes; `open` if an unknown word may complete it */
export function behindOptions(
  words: readonly (string | null)[],
  pattern: readonly (readonly string[])[],
): readonly number[] | 'open' | undefined {
  let here = new Map<number, readonly number[]>([[0, []]])
  let [next, afterNext] = [new Map<number, readonly number[]>(), new Map<number, readonly number[]>()]
  let isOpen = false
  for (let index = 1; here.size + next.size > 0; index += 1) {
    const complete = here.get(pattern.length)
    if (complete !== undefined) return complete
    const word = words[index]
    isOpen ||= word === null && here.size > 0
    for (const [count, indexes] of typeof word === 'string' ? here : []) {
      if (pattern[count]?.includes(word ?? '') === true) next.set(count + 1, [...indexes, index])
      if (word?.startsWith('-') !== true) continue
      if (!next.has(count)) next.set(count, indexes)
      if (!word.includes('=')) afterNext.set(count, indexes)
    }
    ;[here, next, afterNext] = [next, afterNext, new Map<number, readonly number[]>()]
  }
  return isOpen ? 'open' : undefined
}

/** Whether an unknown word stays one operand: `~/x`, not `$x`, `*.ts` (may match `-f.ts`) or `src/$x`. */
export function isSteady({ text, written }: FoundWord): boolean {
  return text !== null || /^(?:~[\w./+@-]*|[\w.@~][\w.@+-]*\/[^$`<>(]*)$/u.test(plain(written))
}

/** Null for words that may become anything; a steady but unknown word matches no pattern. */
export function steadyTexts(words: readonly FoundWord[]): readonly (string | null)[] {
  return words.map((word) => word.text ?? (isSteady(word) ? '' : null))
}

function after(command: CommandWords, index: number): CommandWords {
  const [program] = command.words
  const words = [...(program === undefined ? [] : [program]), ...command.words.slice(index + 1)]
  return commandWords({ words, ...(command.input !== undefined && { input: command.input }) })
}

/** `/usr/bin/RM` and `rm.exe` become `rm`. */
export function programName(text: string): string {
  return text
    .slice(text.lastIndexOf('/') + 1)
    .replace(/\.(exe|cmd|bat)$/i, '')
    .toLowerCase()
}
