/** Which obstacles matter: a word that is only known when it runs cannot always change what is decided. */
import {
  type Decomposition,
  type FoundCommand,
  onlyReadsWithAny,
  type Obstacle,
  type Span,
} from '../../../analysis/shell/index.ts'
import { takesWordsFromInput, type CommandExamination } from './examine-command.ts'

/**
 * `ls *.ts` has an obstacle, and yet nothing that it could become is more than reading. `node build.js $x` has one that no rule, yours or built in,
 * asks after. `rm $x` has one that matters.
 * @param isUnknownFree commands that no rule knows run without a question: what an obstacle hides is no worse than a program of the project
 * @returns the obstacles that keep it from being told what would run, and whether all words are known, so that a rule may allow the line
 */
export function openObstacles(
  { obstacles }: Pick<Decomposition, 'obstacles'>,
  commands: readonly CommandExamination[],
  isUnknownFree: boolean,
): { readonly open: readonly Obstacle[]; readonly isAllowHeeded: boolean } {
  const answers = obstacles.map((obstacle) =>
    isUnknownFree && isLikeAnyProgram(obstacle, commands)
      ? { obstacle, isOpen: false, isReading: false }
      : { obstacle, ...judgeObstacle(obstacle, commands) },
  )
  return {
    open: answers.filter(({ isOpen }) => isOpen).map(({ obstacle }) => obstacle),
    isAllowHeeded: answers.every(({ isReading }) => isReading),
  }
}

interface Judged {
  readonly isOpen: boolean
  /** Whatever the words become, it only reads. */
  readonly isReading: boolean
}

function judgeObstacle(obstacle: Obstacle, commands: readonly CommandExamination[]): Judged {
  const owners = ownersOf(obstacle, commands)
  if (owners === undefined) return { isOpen: true, isReading: false }
  const isReading = owners.length > 0 && owners.every(({ found }) => onlyReadsWithAny(found))
  return { isOpen: owners.some(({ isOpen }) => isOpen), isReading }
}

/**
 * `FOO=1 npm test`, `. .venv/bin/activate`, `f() { npm test; }; f`, `trap 'rm a' EXIT`, `alias ll='ls -l'`: all commands that
 * the line itself names are known, and what it starts besides could be started by its name too.
 */
function isLikeAnyProgram({ kind, subject }: Obstacle, commands: readonly CommandExamination[]): boolean {
  if (subject === undefined) return false
  if (kind === 'redefinition') return !isUsedAlias(subject, commands)
  return kind === 'environment' ? !isRunVariable(subject) : true
}

/** `alias g=git; g push`: the words behind the name belong to the command that it stands for, and were not looked at as such. */
function isUsedAlias(name: string, commands: readonly CommandExamination[]): boolean {
  const programs = commands.map(({ found }) => found.words[0]?.text)
  const isAlias = commands.some(
    ({ found: { words } }) =>
      words[0]?.text === 'alias' && words.some(({ text }) => text?.startsWith(`${name}=`) === true),
  )
  return isAlias && programs.includes(name)
}

/** Undefined: it is more than a word that is only known when it runs. */
function ownersOf(
  obstacle: Obstacle,
  commands: readonly CommandExamination[],
): readonly CommandExamination[] | undefined {
  if (obstacle.kind === 'dynamic-word') return ownersOfWord(obstacle, commands)
  const starter = commands.find(({ found }) => startsWithInput(found, obstacle))
  return starter === undefined ? undefined : commands.filter(({ found }) => takesWordsFromInput(found))
}

/** `xargs grep x` runs a literal command with further words. */
function startsWithInput({ span, words }: FoundCommand, obstacle: Obstacle): boolean {
  const isSame = span !== null && span[0] === obstacle.span?.[0] && span[1] === obstacle.span[1]
  return obstacle.kind === 'elsewhere' && isSame && /^(?:xargs|find|fd|fdfind)$/u.test(words[0]?.text ?? '')
}

/** The commands whose word it may be. */
function ownersOfWord(
  { span }: Obstacle,
  commands: readonly CommandExamination[],
): readonly CommandExamination[] {
  const unknown = commands.filter(({ found }) => found.words.some(({ text }) => text === null))
  if (span === null) return unknown
  // Without a place of its own it stands in a text that another program reads.
  return unknown.filter(
    ({ found }) => found.span === null || found.words.some((word) => isWordAt(word, span)),
  )
}

function isWordAt({ text, span: own }: FoundCommand['words'][number], span: NonNullable<Span>): boolean {
  return text === null && (own === null || (own[0] < span[1] && span[0] < own[1]))
}

/** Variables whose value is run as a command, or that change how the line itself is read. */
const names: readonly RegExp[] = [
  /^(?:PATH|FPATH|CDPATH|IFS|ENV|BASH_\w+|BASHOPTS|SHELL|SHELLOPTS|PS\d|PROMPT_COMMAND|ZDOTDIR|HISTFILE)$/u,
  /^(?:LD|DYLD)_\w+$/u,
  /^GIT_(?!AUTHOR_|COMMITTER_)\w+$/u,
  /^(?:\w+_)?(?:EDITOR|PAGER|BROWSER|ASKPASS|SHELL|RSH|SSH|COMMAND|CMD|EXEC|WRAPPER|LAUNCHER|HELPER)$/u,
  /^(?:VISUAL|LESSOPEN|LESSCLOSE|MAKEFLAGS|GNUMAKEFLAGS|SUDO_\w+)$/u,
]

/** Also of a name that is none. */
function isRunVariable(name: string): boolean {
  return !/^[A-Z_][A-Z0-9_]*$/u.test(name) || names.some((pattern) => pattern.test(name))
}
