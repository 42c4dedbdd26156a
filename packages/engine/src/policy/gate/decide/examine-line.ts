/** All that can be said of a command line before it runs. */
import type { RuleMatch } from '@donecheck/core/events'
import {
  decompose,
  type Decomposition,
  type FoundCommand,
  type Obstacle,
  onlyReadsWithAny,
  type Span,
  textsWrittenAndRun,
} from '../../../analysis/shell/index.ts'
import { findsLeftovers } from '../built-in-rules/exemptions.ts'
import { foldersOf } from '../built-in-rules/file-location.ts'
import { dangersOfLine } from '../built-in-rules/whole-line.ts'
import type { GateContext } from '../context.ts'
import {
  type CommandExamination,
  examineCommand,
  matchOfDanger,
  objectionToUnknown,
  ofBuiltInRules,
  takesWordsFromInput,
} from './examine-command.ts'
import { examineOpened, examinePaths } from './examine-paths.ts'
import {
  ask,
  asksForUnknown,
  nothing,
  type Objection,
  quoteCommand,
  shortenText,
  undecidable,
} from '../objections.ts'
import { followsNames, isPrivateNamedIn } from '../paths/private-reads.ts'
import type { Escalation } from '../../../ports/gate.ts'

export interface LineExamination {
  readonly script: string
  /** It asks to run outside of the sandbox. */
  readonly escalation: Escalation | undefined
  readonly decomposition: Decomposition
  readonly commands: readonly CommandExamination[]
  /** Of the obstacles those that keep it from being told what would run. */
  readonly open: readonly Obstacle[]
  /** False: not all of it is known, so that no rule may allow it. */
  readonly isAllowHeeded: boolean
  readonly matches: readonly RuleMatch[]
  readonly objections: readonly Objection[]
}

export function examineLine(script: string, around: GateContext, escalation?: Escalation): LineExamination {
  const decomposition = decompose(script)
  const isUnhidden = !around.isConfined || escalation !== undefined
  const { commands, open, isAllowHeeded } = examineCommands(script, decomposition, isUnhidden, around)
  const paths = examinePaths(script, decomposition, around)
  const opened = isUnhidden ? examineOpened(decomposition, around) : nothing
  const dangers = dangersOfLine(script, decomposition)
  const scripts = textsWrittenAndRun(decomposition).map((text) => examineLine(text, around))
  return {
    ...{ script, escalation, decomposition, commands, open, isAllowHeeded },
    matches: [
      ...commands.flatMap(({ matches }) => matches),
      ...paths.matches,
      ...opened.matches,
      ...dangers.map((danger) => {
        const { span } = danger
        return matchOfDanger(danger, { span, words: span === null ? [] : [script.slice(...span)] })
      }),
      ...scripts.flatMap(({ matches }) => matches.map((match) => ({ ...match, span: null }))),
    ],
    objections: [
      ...commands.flatMap(({ objections }) => objections),
      ...dangers.map((danger) => ofBuiltInRules(danger, shortenText(script))),
      ...paths.objections,
      ...opened.objections,
      ...ofObstacles(open),
      ...(escalation === undefined || mayLeave(commands, decomposition, around)
        ? []
        : ofEscalation(script, escalation, around)),
      ...ofEveryCall(script, around),
      ...scripts.flatMap(({ objections }) => objections.flatMap(ofWrittenScript)),
    ],
  }
}

/** Of a file that lies there nobody asks what it is that it runs; of what stands in the line rules and the built-in rules are asked. */
function ofWrittenScript(objection: Objection): readonly Objection[] {
  if (objection.decision === 'forbidden') return [objection]
  const { decision, question, label, reason } = objection
  return question === 'rules' ? [{ decision, question, label, reason }] : []
}

function examineCommands(
  script: string,
  decomposition: Decomposition,
  isUnhidden: boolean,
  around: GateContext,
): Pick<LineExamination, 'commands' | 'open' | 'isAllowHeeded'> {
  const named = decomposition.commands.map((found, index) => {
    return { found, name: quoteCommand(script, found), index }
  })
  const folders = foldersOf(decomposition.commands, around.place)
  const isNamedInLine = isUnhidden && isPrivateNamedIn(script, folders, around.place)
  const isFollowed = !isUnhidden || followsNames(script, decomposition)
  const unhidden = isUnhidden ? { isNamedInLine, isFollowed } : null
  const finds = decomposition.commands.filter(({ words }) => words[0]?.text === 'find')
  const isSpared =
    finds.length > 0 &&
    !folders.isUnknown &&
    finds.every((found) => findsLeftovers(found, { folders: folders.all, place: around.place }))
  const examined = named.map(({ found, ...name }) =>
    examineCommand(found, { script, ...name, folders, unhidden, findsLeftovers: isSpared }, around),
  )
  const { open, isAllowHeeded } = openObstacles(decomposition, examined, isUnknownFree(around))
  const commands = examined.map((command, index): CommandExamination => {
    const name = named[index]?.name ?? ''
    const unknown = objectionToUnknown(command, isAllowHeeded, { name, index }, around)
    return { ...command, objections: [...command.objections, ...unknown] }
  })
  return { commands, open, isAllowHeeded }
}

/** As `objectionToUnknown` has it. */
function isUnknownFree({ approval, isConfined, leavesUnknown = false }: GateContext): boolean {
  return approval === 'never' || ((isConfined || leavesUnknown) && !asksForUnknown(approval))
}

function ofObstacles(open: readonly Obstacle[]): readonly Objection[] {
  return open.length === 0 ? [] : [ask('undecidable', 'undecidable_command', undecidable(open))]
}

/**
 * Every command begins with words that a person has let out. Outside, one that only reads finds the secrets which the
 * sandbox hides, and so none goes along but those that read no file.
 */
function mayLeave(
  commands: readonly CommandExamination[],
  { obstacles }: Decomposition,
  around: GateContext,
): boolean {
  const acting = commands.filter(({ found }) => !found.isTransparent && !readsNothing(found))
  return (
    obstacles.length === 0 &&
    acting.length > 0 &&
    acting.every(({ found }) => around.mayLeave.some((prefix) => beginsWith(found, prefix)))
  )
}

export function beginsWith(command: FoundCommand, prefix: readonly string[]): boolean {
  return prefix.every((word, index) => command.words[index]?.text === word)
}

function readsNothing({ words }: FoundCommand): boolean {
  return /^(?:cd|echo|printf|pwd|true|false|:|exit|sleep)$/u.test(words[0]?.text ?? '')
}

/** Where nothing is confined there is nothing to leave. */
function ofEscalation(
  script: string,
  escalation: Escalation,
  { isConfined }: GateContext,
): readonly Objection[] {
  if (!isConfined) return []
  const reason = `\`${shortenText(script)}\` asks to run outside of the sandbox: ${shortenText(escalation.reason)}`
  return [ask('sandbox_approval', 'approval_required', reason)]
}

function ofEveryCall(script: string, { approval }: GateContext): readonly Objection[] {
  if (approval !== 'all') return []
  const reason = `\`${shortenText(script)}\` requires approval: approval is "all"`
  return [ask('rules', 'approval_required', reason)]
}

/**
 * `ls *.ts` has an obstacle, and yet nothing that it could become is more than reading. `node build.js $x` has one that no rule, yours or built in,
 * asks after. `rm $x` has one that matters.
 * @param isUnknownFree commands that no rule knows run without a question: what an obstacle hides is no worse than a program of the project
 * @returns the obstacles that keep it from being told what would run, and whether all words are known, so that a rule may allow the line
 */
function openObstacles(
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
