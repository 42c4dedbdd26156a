import { posix } from 'node:path'
import { kindOf, mayChange, type ProtectOptions, scriptsNamedIn } from '../../../analysis/protect/index.ts'
import type { FileVersion } from '../../../analysis/tamper/index.ts'
import { sha256 } from '../../../base/index.ts'
import type { FileChange } from '../../../ports/gate.ts'
import {
  type Decomposition,
  filesWrittenBy,
  plain,
  type WrittenPlace,
} from '../../../analysis/shell/index.ts'
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
  nameOfPolicy,
  nothing,
  type Objection,
  onlyObjection,
  questionByRule,
  shortenText,
} from '../objections.ts'
import { isPrivateFile, privateRead } from '../paths/private-reads.ts'
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

/** Files opened for reading if no sandbox hides private ones. */
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
  return onlyObjection(ask('opaque', 'opaque_command', reason))
}

function examineTarget(target: Target, around: GateContext): Evaluation {
  const { path, written } = target
  if (path === null && !/^~[\w./+@-]*$/u.test(written)) return unknownTarget(target)
  // A quoted `~` is not the home folder.
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
  const { matches: byRule, forbidding, asking } = ruled(rules, { name, written, span: target.span })
  const matches = [
    ...byRule,
    ...(sensitive === undefined ? [] : [matchOfDanger(sensitive, { words: [written], span: target.span })]),
  ]
  if (forbidding !== undefined) return { matches, objections: [forbidding] }
  const isFree = rules.some(({ decision, source }) => decision === 'allow' && isOfPerson(source))
  const objections = [
    ...(sensitive === undefined ? [] : [ofBuiltInRules(sensitive, name)]),
    ...asking,
    ...(target.kind === 'file' ? [] : ofFolder(full, target, around)),
    ...(isFree || sensitive !== undefined ? [] : examineLocation(full, relative, target, around)),
  ]
  return { matches, objections }
}

/** Files copied into a folder may have any name; a folder that contains the work folder only asks. */
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
      ? forbiddenByRule(name, rule)
      : askedFor(name, rule.justification),
  )
}

function ruled(
  rules: readonly PathRule[],
  { name, written, span }: Pick<WrittenPlace, 'written' | 'span'> & { readonly name: string },
) {
  const forbidding = rules.find(({ decision }) => decision === 'forbidden')
  return {
    matches: rules.map((rule) => matchOfPath(rule, written, span)),
    forbidding: forbidding && forbiddenByRule(name, forbidding),
    asking: rules
      .filter(({ decision }) => decision === 'prompt')
      .map(({ justification }) => askedFor(name, justification)),
  }
}

function forbiddenByRule(name: string, { justification }: PathRule): Objection {
  const why = justification ?? 'policy forbids to change it'
  return forbid('policy_forbidden', `\`${name}\` rejected: ${why}`)
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

/** Whether a check runs this file outside the work folder. */
function isOutsideScript(full: string, protect: ProtectOptions, place: CommandLocation): boolean {
  // Checks run in the work folder.
  const inWorkFolder = { ...place, folder: place.workFolder }
  const scripts = [...scriptsNamedIn(protect.checkCommands)].filter((path) => /^(?:\/|~|\.\.\/)/u.test(path))
  return !mayChange(full, protect) && scripts.some((path) => absolutePath(path, inWorkFolder) === full)
}

/** Loaded late because the parsers are large, but before anything could change them. */
export const tamperRules = () => import('../../../analysis/tamper/index.ts')

/** Examines file changes before they are made. */
export async function examineChanges(files: readonly FileChange[], around: GateContext): Promise<Evaluation> {
  const places = files.map((file) => examineChange(file, around))
  // A refused change need not be read.
  const isOut = places.some(({ objections }) => objections.some(({ decision }) => decision === 'forbidden'))
  const refused = isOut ? [] : await ofRefused(files, around)
  return {
    matches: places.flatMap(({ matches }) => matches),
    objections: [...places.flatMap(({ objections }) => objections), ...refused],
  }
}

function examineChange({ path, after }: FileChange, { policy, place, approval }: GateContext): Evaluation {
  const name = shortenText(path)
  const isOutside =
    path === '' || path.startsWith('/') || path.split('/').includes('..') || path.includes('\0')
  if (isOutside)
    return onlyObjection(forbid('outside_work_folder', `\`${name}\` is outside of the work folder`))
  // Includes nested repositories, whose settings git obeys.
  if (/(?:^|\/)\.git(?:\/|$)/iu.test(posix.normalize(path)))
    return onlyObjection(forbid('protected_file', `\`${name}\` belongs to git: let git change it`))
  if (/^\.donecheck(?:\/|$)/iu.test(posix.normalize(path)))
    return onlyObjection(forbid('protected_file', `\`${name}\` belongs to donecheck`))
  const rules = policy.matchPath([path, posix.join(place.workFolder, path)])
  const { matches, forbidding, asking } = ruled(rules, { name, written: path, span: null })
  if (forbidding !== undefined) return { matches, objections: [forbidding] }
  const isAllowed = rules.length > 0 && approval !== 'all'
  if (asking.length > 0 || isAllowed || !asksForUnknown(approval)) return { matches, objections: asking }
  const what = `to ${after === null ? 'remove' : 'change'} \`${name}\``
  const reason = `${what} requires approval: approval is "${nameOfPolicy(approval)}"`
  return { matches, objections: [ask('changes', 'approval_required', reason)] }
}

/** Refuses dishonest check changes; others are found when the original checks run, too. */
async function ofRefused(
  files: readonly FileChange[],
  { protect }: GateContext,
): Promise<readonly Objection[]> {
  const ofChecks = files.filter(({ path }) => kindOf(path, protect) !== undefined)
  if (ofChecks.length === 0) return []
  const { findRefusedChanges } = await tamperRules()
  const changes = ofChecks.map(({ path, before, after }) => ({
    path,
    before: versionOf(before, 'before'),
    after: versionOf(after, 'after'),
  }))
  return findRefusedChanges(changes)
    .filter(({ rule, path }) => rule === 'config.donecheck-changed' || !mayChange(path, protect))
    .map(({ rule, path, line, message }): Objection => {
      const where = line === undefined ? path : `${path}:${line}`
      return forbid('protected_file', `${where}: ${message} (${rule})`)
    })
}

/** A file without text gets a unique digest. */
function versionOf(content: FileChange['before'], when: string): FileVersion | null {
  if (content === null) return null
  const text = content ?? null
  return { kind: 'file', digest: text === null ? `unknown ${when}` : sha256(text), mode: 0o644, text }
}
