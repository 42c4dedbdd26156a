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
  opaqueReason,
} from '../objections.ts'
import { isPrivateNamedIn, nameSourcesOf } from '../paths/private-reads.ts'
import type { Escalation } from '../../../ports/gate.ts'

export interface LineExamination {
  readonly script: string
  readonly escalation: Escalation | undefined
  readonly decomposition: Decomposition
  readonly commands: readonly CommandExamination[]
  /** Obstacles that hide what would run. */
  readonly open: readonly Obstacle[]
  /** False if not all of it is known, so that no rule may allow it. */
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

/** Only rules apply to a script that the line writes; existing scripts are not read. */
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

/** Same condition as in `objectionToUnknown`. */
function isUnknownFree({ approval, isConfined, leavesUnknown = false }: GateContext): boolean {
  return approval === 'never' || ((isConfined || leavesUnknown) && !asksForUnknown(approval))
}

function ofObstacles(open: readonly Obstacle[]): readonly Objection[] {
  return open.length === 0 ? [] : [ask('opaque', 'opaque_command', opaqueReason(open))]
}

/** Prefixes allowed outside the sandbox. File readers do not count: they could read hidden secrets. */
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
  readonly open: readonly Obstacle[]
  /** Whether a rule may allow the line: all words are known, or belong to commands that only read. */
  readonly isAllowHeeded: boolean
}

/**
 * Unknown words matter only if a rule could match: in `rm $x`, but not in `ls *.ts`.
 * @param isUnknownFree unknown commands run without a question, so most obstacles do, too
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

/** Such as `FOO=1 npm test` or `alias ll='ls -l'`: a project program could start the same. */
function isLikeAnyProgram({ kind, subject }: Obstacle, commands: readonly CommandExamination[]): boolean {
  if (subject === undefined) return false
  if (kind === 'redefinition') return !isUsedAlias(subject, commands)
  return kind === 'environment' ? !isRunVariable(subject) : true
}

/** `alias g=git; g push`: `push` was not read as an argument of `git`. */
function isUsedAlias(name: string, commands: readonly CommandExamination[]): boolean {
  const programs = commands.map(({ found }) => found.words[0]?.text)
  const isAlias = commands.some(
    ({ found: { words } }) =>
      words[0]?.text === 'alias' && words.some(({ text }) => text?.startsWith(`${name}=`) === true),
  )
  return isAlias && programs.includes(name)
}

/** Variables that run as commands or change how the line is parsed. */
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
