/** The files that a line writes to, by its redirections and by the arguments of usual programs. */
import { posix } from 'node:path'
import { kindOf, mayChange, type ProtectOptions, scriptsNamedIn } from '../../../analysis/protect/index.ts'
import { type Decomposition, plain, type WrittenPlace } from '../../../analysis/shell/index.ts'
import {
  absolutePath,
  foldersOf,
  fullPath,
  isWithin,
  leadsTo,
  neverReturns,
  sensitivePath,
} from '../built-in-rules/file-location.ts'
import type { CommandLocation } from '../built-in-rules/file-location.ts'
import type { GateContext } from '../context.ts'
import { matchOfDanger, matchOfPath, ofBuiltInRules } from './examine-command.ts'
import {
  ask,
  asksForUnknown,
  type Evaluation,
  forbid,
  nothing,
  type Objection,
  onlyObjection,
  questionByRule,
  rejectionByRule,
  shortenText,
} from '../objections.ts'
import { isPrivateFile, privateRead, filesWrittenBy } from '../paths/private-reads.ts'
import { isOfPerson, type PathRule } from '../rules/rule.ts'

export function examinePaths(
  script: string,
  { commands, writes }: Decomposition,
  around: GateContext,
): Evaluation {
  const folders = foldersOf(commands, around.place)
  const redirected = writes.map(({ path, span }): Target => {
    const written = path ?? (span === null ? '' : plain(script.slice(...span)))
    return { path, written, span, kind: 'file', isRedirection: true }
  })
  const byArgument = commands.flatMap(filesWrittenBy).map((file) => ({ ...file, isRedirection: false }))
  const parts = [...redirected, ...byArgument].flatMap((target) =>
    folders.isUnknown && !/^[/~]/u.test(target.written)
      ? [unknownTarget(target)]
      : folders.all.map((folder) => examineTarget(target, { ...around, place: { ...around.place, folder } })),
  )
  return {
    matches: distinct(parts.flatMap(({ matches }) => matches)),
    objections: distinct(parts.flatMap(({ objections }) => objections)),
  }
}

/** The files that a line opens for reading, where nothing hides what is private. */
export function examineOpened({ commands, reads = [] }: Decomposition, { place }: GateContext): Evaluation {
  const folders = foldersOf(commands, place)
  const found = reads.filter((read) => isPrivateFile(read, { folders, place }))
  return {
    matches: found.map(({ written, span }) => matchOfDanger(privateRead, { words: [written], span })),
    objections: found.map(({ written }) => ofBuiltInRules(privateRead, shortenText(written))),
  }
}

interface Target extends WrittenPlace {
  readonly isRedirection: boolean
}

function unknownTarget(target: Target): Evaluation {
  if (!target.isRedirection) return nothing
  const reason = `it is only known when it runs which file \`${shortenText(target.written)}\` is`
  return onlyObjection(ask('undecidable', 'undecidable_command', reason))
}

function examineTarget(target: Target, around: GateContext): Evaluation {
  const { path, written } = target
  if (path === null && !/^~[\w./+@-]*$/u.test(written)) return unknownTarget(target)
  // A literal `~` in quotes is no home folder.
  const named = absolutePath(path?.startsWith('~') === true ? `./${path}` : written, around.place)
  const full =
    target.kind === 'removed'
      ? posix.join(leadsTo(posix.dirname(named), around.place), posix.basename(named))
      : leadsTo(named, around.place)
  if (neverReturns(full)) return nothing
  const name = shortenText(written)
  const sensitive = sensitivePath(fullPath(full, around.place))
  const work = around.place.workFolder
  const relative = isWithin(full, work) ? posix.relative(work, full) : null
  const rules = around.policy.matchPath([full, ...(relative === null ? [] : [relative])])
  const matches = [
    ...rules.map((rule) => matchOfPath(rule, written, target.span)),
    ...(sensitive === undefined ? [] : [matchOfDanger(sensitive, { words: [written], span: target.span })]),
  ]
  const forbidding = rules.find(({ decision }) => decision === 'forbidden')
  if (forbidding !== undefined) return { matches, objections: [forbiddenByRule(name, written, forbidding)] }
  const isFree = rules.some(({ decision, source }) => decision === 'allow' && isOfPerson(source))
  const objections = [
    ...(sensitive === undefined ? [] : [ofBuiltInRules(sensitive, name)]),
    ...rules
      .filter(({ decision }) => decision === 'prompt')
      .map((rule) => askedFor(name, rule.justification)),
    ...(target.kind === 'file' ? [] : ofFolder(full, target, around)),
    ...(isFree || sensitive !== undefined ? [] : examineLocation(full, relative, target, around)),
  ]
  return { matches, objections }
}

/** What comes into a folder may have any name, and what goes with one has any; what fills the whole work folder is asked for and no more. */
function ofFolder(
  full: string,
  { kind, written }: Target,
  { policy, place }: GateContext,
): readonly Objection[] {
  const name = shortenText(written)
  const isAll = kind === 'folder' && isWithin(place.workFolder, full)
  const rules = policy.rulesBelow(full, place.workFolder)
  return rules.map((rule) =>
    rule.decision === 'forbidden' && !isAll
      ? forbiddenByRule(name, name, rule)
      : askedFor(name, rule.justification),
  )
}

function forbiddenByRule(name: string, written: string, { justification }: PathRule): Objection {
  return forbid('policy_forbidden', rejectionByRule(name, [written], justification))
}

function askedFor(name: string, justification: string | undefined): Objection {
  return ask('rules', 'approval_required', questionByRule(name, justification))
}

const temporary = ['/tmp', '/var/tmp', '/private/tmp']

function examineLocation(
  full: string,
  relative: string | null,
  target: Target,
  { approval, protect, place, writableFolders }: GateContext,
): readonly Objection[] {
  const name = shortenText(target.written)
  const asks = asksForUnknown(approval) && target.isRedirection
  const plainWrite = asks ? [ask('changes', 'approval_required', `it writes to \`${name}\``)] : []
  if (relative === null) {
    if (isOutsideScript(full, protect, place))
      return [ask('rules', 'protected_file', `\`${name}\` is run by a check`)]
    const isFree = [...temporary, ...writableFolders].some((folder) => isWithin(full, leadsTo(folder, place)))
    if (isFree && !isWithin(place.workFolder, full)) return plainWrite
    return [ask('sandbox_approval', 'outside_work_folder', `\`${name}\` is outside of the work folder`)]
  }
  if (/(?:^|\/)\.git(?:\/|$)/iu.test(relative))
    return [ask('rules', 'protected_file', `\`${name}\` belongs to git: let git change it`)]
  if (relative === '.donecheck' || kindOf(relative, protect) === 'donecheck-config')
    return [forbid('protected_file', `\`${name}\` holds the rules of this run`)]
  return plainWrite
}

function distinct<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

/** Whether a check runs this file, which is outside of the work folder. */
function isOutsideScript(full: string, protect: ProtectOptions, place: CommandLocation): boolean {
  // Checks are run in the work folder.
  const inWorkFolder = { ...place, folder: place.workFolder }
  const scripts = [...scriptsNamedIn(protect.checkCommands)].filter((path) => /^(?:\/|~|\.\.\/)/u.test(path))
  return !mayChange(full, protect) && scripts.some((path) => absolutePath(path, inWorkFolder) === full)
}
