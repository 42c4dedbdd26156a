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
  /** It only starts another command of the list, without changing its meaning or its rights (`nice`, `timeout`, `command`). */
  readonly isTransparent: boolean
  /** Standard input, where it is a heredoc or a herestring without expansions. */
  readonly input?: string
}

export type ObstacleKind =
  /** It cannot be parsed. */
  | 'syntax'
  /** The program is only known when it runs. */
  | 'dynamic-program'
  /** An argument is only known when it runs: an expansion, a glob, words that `xargs` and `find` put in. */
  | 'dynamic-word'
  /** A text that is only known when it runs is run as commands (`eval "$x"`, `sh -c "$x"`, `sh` reading a pipe, `source file`). */
  | 'dynamic-script'
  /** A variable is set that can change what programs do (`PATH`, `LD_PRELOAD`, `GIT_SSH_COMMAND`, and every name that is not known to be harmless). */
  | 'environment'
  /** A function or an alias is defined: a name may mean another program. */
  | 'redefinition'
  /** It runs with other rights, on another machine, or later: `sudo`, `ssh`, `trap`. */
  | 'elsewhere'
  /** Too deep, too many commands, or too long to be read. */
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
  /** Every literal command anywhere in the line, in order. An obstacle stands for everything else that could run. */
  readonly commands: readonly FoundCommand[]
  /** Empty: `commands` holds all that would run, with all words. Only then may a rule allow the line. */
  readonly obstacles: readonly Obstacle[]
  readonly writes: readonly WriteTarget[]
  /** Absent: none. */
  readonly reads?: readonly ReadTarget[]
}

export interface CommandWords {
  /** Last part of its path, in lower case: some file systems find `RM` as well. Null: only known when it runs. */
  readonly program: string | null
  readonly words: readonly FoundWord[]
  /** Long ones without their value, short groups taken apart, up to `--`. */
  readonly options: readonly string[]
  /** Every word that is not an option. Values of options are among them, because most programs' options are not known. */
  readonly operands: readonly Operand[]
  readonly input: string | undefined
}

export interface Operand {
  /** Null: only known when it runs. */
  readonly text: string | null
  /** As it stands there, without quotes, and with `~` for the home folder. */
  readonly written: string
  readonly word: FoundWord
  /** Of its word in the command. */
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

/** Whether one of these options is given. Abbreviations such as `--forc` count, because git and GNU programs accept them. */
export function hasOption({ options }: CommandWords, ...wanted: readonly string[]): boolean {
  return options.some((option) =>
    wanted.some(
      (name) => option === name || (option.startsWith('--') && option.length > 2 && name.startsWith(option)),
    ),
  )
}

interface Subcommand {
  /** The words after it. */
  readonly rest: CommandWords
  /** Of its last word. */
  readonly index: number
}

/** Finds a subcommand. Which options have a value is not known, so `git -C push status` counts as a `push` too. */
export function subcommand(command: CommandWords, names: readonly string[]): Subcommand | undefined {
  const words = command.words.map(({ text }) => text)
  const found = behindOptions(words, patternOf(names))
  const index = typeof found === 'object' ? found.at(-1) : undefined
  return index === undefined ? undefined : { index, rest: after(command, index) }
}

/** Whether this is the subcommand, or a word that is only known when it runs may become it. */
export function mayBecome({ words }: CommandWords, names: readonly string[]): boolean {
  return behindOptions(steadyTexts(words), patternOf(names)) !== undefined
}

function patternOf(names: readonly string[]): readonly (readonly string[])[] {
  return names.map((name) => [name])
}

/**
 * Where the words of a pattern stand behind the program, with only options between them. Each option may have its value in the
 * next word or not.
 * @returns their indexes; `open`: a word that is only known when it runs (null) may complete the pattern
 */
export function behindOptions(
  words: readonly (string | null)[],
  pattern: readonly (readonly string[])[],
): readonly number[] | 'open' | undefined {
  // At one word: so many words of the pattern were found before it, and where.
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

/**
 * Whether it can be no option, no subcommand and no second word, whatever it becomes: `~/x` and `src/*.ts`, but not `$x`, `*.ts`
 * (there may be a file `-f.ts`) and `src/$x` (it may have a blank).
 */
export function isSteady({ text, written }: FoundWord): boolean {
  return text !== null || /^(?:~[\w./+@-]*|[\w.@~][\w.@+-]*\/[^$`<>(]*)$/u.test(plain(written))
}

/** Null for words that may become anything; a steady word that is not literal is no word of a pattern. */
export function steadyTexts(words: readonly FoundWord[]): readonly (string | null)[] {
  return words.map((word) => word.text ?? (isSteady(word) ? '' : null))
}

function after(command: CommandWords, index: number): CommandWords {
  const [program] = command.words
  const words = [...(program === undefined ? [] : [program]), ...command.words.slice(index + 1)]
  return commandWords({ words, ...(command.input !== undefined && { input: command.input }) })
}

/** `/usr/bin/RM` and `rm.exe` are `rm`: some file systems find `RM` as well. */
export function programName(text: string): string {
  return text
    .slice(text.lastIndexOf('/') + 1)
    .replace(/\.(exe|cmd|bat)$/i, '')
    .toLowerCase()
}
