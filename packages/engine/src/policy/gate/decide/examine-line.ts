/** All that can be said of a command line before it runs. */
import type { RuleMatch } from '@donecheck/core/internal/events'
import {
  decompose,
  type Decomposition,
  type FoundCommand,
  type Obstacle,
  onlyReadsWithAny,
  textsWrittenAndRun,
} from '../../../analysis/shell/index.ts'
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
import { examineOpened, examinePaths } from './examine-files.ts'
import {
  ask,
  asksForUnknown,
  nothing,
  type Objection,
  quoteCommand,
  shortenText,
  undecidable,
} from '../objections.ts'
import { isPrivateNamedIn, nameSourcesOf } from '../paths/private-reads.ts'
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

/** A script that the line writes is held against the rules only; an existing script file is not read at all. */
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
  const unhidden = isUnhidden ? { isNamedInLine, sources: nameSourcesOf(script, decomposition) } : null
  const examined = named.map(({ found, ...name }) =>
    examineCommand(found, { script, ...name, folders, unhidden }, around),
  )
  const { open, isAllowHeeded } = judgeObstacles(decomposition.obstacles, examined, isUnknownFree(around))
  const commands = examined.map((command, index): CommandExamination => {
    const name = named[index]?.name ?? ''
    const unknown = objectionToUnknown(command, isAllowHeeded, { name, index }, around)
    return { ...command, objections: [...command.objections, ...unknown] }
  })
  return { commands, open, isAllowHeeded }
}

/** The same condition as in `objectionToUnknown`. */
function isUnknownFree({ approval, isConfined, leavesUnknown = false }: GateContext): boolean {
  return approval === 'never' || ((isConfined || leavesUnknown) && !asksForUnknown(approval))
}

function ofObstacles(open: readonly Obstacle[]): readonly Objection[] {
  return open.length === 0 ? [] : [ask('undecidable', 'undecidable_command', undecidable(open))]
}

/**
 * Whether every command begins with a prefix that a person allowed outside of the sandbox. Commands that read files do not go along:
 * outside, they could read the secrets that the sandbox hides.
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

/** Without a sandbox there is nothing to leave. */
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

interface Judged {
  /** Obstacles that need an answer. */
  readonly open: readonly Obstacle[]
  /** Whether a rule may allow the line: all its words are known, or belong to commands that only read. */
  readonly isAllowHeeded: boolean
}

/**
 * The unknown word of `ls *.ts` does not matter, because `ls` only reads; nor does that of `node build.js $x`, because no rule is
 * about it. That of `rm $x` does.
 * @param isUnknownFree commands that no rule knows run without a question, so most obstacles need none either
 */
function judgeObstacles(
  obstacles: readonly Obstacle[],
  commands: readonly CommandExamination[],
  isUnknownFree: boolean,
): Judged {
  const isWordOpen = commands.some(({ isOpen }) => isOpen)
  const unknown = commands.filter(
    ({ found }) => takesWordsFromInput(found) || found.words.some(({ text }) => text === null),
  )
  const isReading = unknown.length > 0 && unknown.every(({ found }) => onlyReadsWithAny(found))
  return {
    open: obstacles.filter((obstacle) =>
      obstacle.kind === 'dynamic-word' ? isWordOpen : !isUnknownFree || !isLikeAnyProgram(obstacle, commands),
    ),
    isAllowHeeded: obstacles.every(({ kind }) => kind === 'dynamic-word' && isReading),
  }
}

/**
 * `FOO=1 npm test`, `. .venv/bin/activate`, `f() { npm test; }; f`, `trap 'rm a' EXIT`, `alias ll='ls -l'`: all commands of the
 * line are known, and it starts nothing that a program of the project could not start as well.
 */
function isLikeAnyProgram({ kind, subject }: Obstacle, commands: readonly CommandExamination[]): boolean {
  if (subject === undefined) return false
  if (kind === 'redefinition') return !isUsedAlias(subject, commands)
  return kind === 'environment' ? !isRunVariable(subject) : true
}

/** `alias g=git; g push`: the line uses the alias, and `push` was not read as an argument of `git`. */
function isUsedAlias(name: string, commands: readonly CommandExamination[]): boolean {
  const programs = commands.map(({ found }) => found.words[0]?.text)
  const isAlias = commands.some(
    ({ found: { words } }) =>
      words[0]?.text === 'alias' && words.some(({ text }) => text?.startsWith(`${name}=`) === true),
  )
  return isAlias && programs.includes(name)
}

/** Variables whose value is run as a command, or that change how the line itself is read. */
const names: readonly RegExp[] = [
  /^(?:PATH|FPATH|CDPATH|IFS|ENV|BASH_\w+|BASHOPTS|SHELL|SHELLOPTS|PS\d|PROMPT_COMMAND|ZDOTDIR|HISTFILE)$/u,
  /^(?:LD|DYLD)_\w+$/u,
  /^GIT_(?!AUTHOR_|COMMITTER_)\w+$/u,
  /^(?:\w+_)?(?:EDITOR|PAGER|BROWSER|ASKPASS|SHELL|RSH|SSH|COMMAND|CMD|EXEC|WRAPPER|LAUNCHER|HELPER)$/u,
  /^(?:VISUAL|LESSOPEN|LESSCLOSE|MAKEFLAGS|GNUMAKEFLAGS|SUDO_\w+)$/u,
]

function isRunVariable(name: string): boolean {
  return !/^[A-Z_][A-Z0-9_]*$/u.test(name) || names.some((pattern) => pattern.test(name))
}
