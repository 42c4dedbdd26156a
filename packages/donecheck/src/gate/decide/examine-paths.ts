/** The files that a line writes to, by its redirections and by the arguments of usual programs. */
import { posix } from 'node:path'
import type { RuleMatch } from '../../events/index.ts'
import type { Decomposition } from '../../shell/index.ts'
import { kindOf } from '../../protect/index.ts'
import { asksForUnknown } from '../approval-policy.ts'
import { plain } from '../floor/command-words.ts'
import { absolutePath, fullPath, isWithin, leadsTo } from '../floor/file-place.ts'
import { isSink, sensitivePath } from '../floor/sensitive-paths.ts'
import { isOutsideScript } from '../paths/check-scripts.ts'
import { foldersOf } from '../paths/folders.ts'
import { isPrivateFile, privateRead } from '../paths/private-reads.ts'
import { filesWrittenBy, type WrittenFile } from '../paths/written-files.ts'
import { ofFloor } from './examine-command.ts'
import type { Objection } from './objection.ts'
import { matchOfPath } from './rule-matches.ts'
import type { Surroundings } from './surroundings.ts'
import { askedByRule, rejectedByRule, shortened } from './wording.ts'

export interface PathExamination {
  readonly matches: readonly RuleMatch[]
  readonly objections: readonly Objection[]
}

export const nothing: PathExamination = { matches: [], objections: [] }

export function examinePaths(
  script: string,
  { commands, writes }: Decomposition,
  around: Surroundings,
): PathExamination {
  const folders = foldersOf(commands, around.place)
  const redirected = writes.map(({ path, span }): Target => {
    const written = path ?? (span === null ? '' : plain(script.slice(...span)))
    return { path, written, span, removes: false, isRedirection: true }
  })
  const byArgument = commands
    .flatMap(filesWrittenBy)
    .map((file): Target => ({ ...file, isRedirection: false }))
  const parts = [...redirected, ...byArgument].flatMap((target) =>
    folders.isUnknown && !/^[/~]/u.test(target.written)
      ? [unknownPlace(target)]
      : folders.all.map((folder) => examineTarget(target, { ...around, place: { ...around.place, folder } })),
  )
  return {
    matches: distinct(parts.flatMap(({ matches }) => matches)),
    objections: distinct(parts.flatMap(({ objections }) => objections)),
  }
}

/** The files that a line opens for reading, where nothing hides what is private. */
export function examineOpened(
  { commands, reads = [] }: Decomposition,
  { place }: Surroundings,
): PathExamination {
  const folders = foldersOf(commands, place)
  const found = reads.filter((read) => isPrivateFile(read, { folders, place }))
  return {
    matches: found.map((read) => floorMatch(privateRead, read)),
    objections: found.map(({ written }) => ofFloor(privateRead, shortened(written))),
  }
}

interface Target extends WrittenFile {
  readonly isRedirection: boolean
}

function unknownPlace(target: Target): PathExamination {
  if (!target.isRedirection) return nothing
  const reason = `it is only known when it runs which file \`${shortened(target.written)}\` is`
  return asked('undecidable', 'undecidable_command', reason)
}

function examineTarget(target: Target, around: Surroundings): PathExamination {
  const { path, written } = target
  if (path === null && !/^~[\w./+@-]*$/u.test(written)) return unknownPlace(target)
  // A literal `~` in quotes is no home folder.
  const named = absolutePath(path?.startsWith('~') === true ? `./${path}` : written, around.place)
  const full = target.removes
    ? posix.join(leadsTo(posix.dirname(named), around.place), posix.basename(named))
    : leadsTo(named, around.place)
  if (isSink(full)) return nothing
  const name = shortened(written)
  const sensitive = sensitivePath(fullPath(full, around.place))
  const work = around.place.workFolder
  const relative = isWithin(full, work) ? posix.relative(work, full) : null
  const rules = around.policy.matchPath([full, ...(relative === null ? [] : [relative])])
  const matches = [
    ...rules.map((rule) => matchOfPath(rule, written, target.span)),
    ...(sensitive === undefined ? [] : [floorMatch(sensitive, target)]),
  ]
  const forbidding = rules.find(({ decision }) => decision === 'forbidden')
  if (forbidding !== undefined)
    return withObjection(matches, {
      decision: 'forbidden',
      label: 'policy_forbidden',
      reason: rejectedByRule(name, [written], forbidding.justification),
    })
  const isFree = rules.some(({ decision, source }) => decision === 'allow' && isOfPerson(source.layer))
  const objections = [
    ...(sensitive === undefined ? [] : [ofFloor(sensitive, name)]),
    ...rules
      .filter(({ decision }) => decision === 'prompt')
      .map((rule) => askedFor(name, rule.justification)),
    ...(isFree || sensitive !== undefined ? [] : ofPlace(full, relative, target, around)),
  ]
  return { matches, objections }
}

function isOfPerson(layer: string): boolean {
  return layer === 'user' || layer === 'run'
}

function askedFor(name: string, justification: string | undefined): Objection {
  const reason = askedByRule(name, justification)
  return { decision: 'prompt', question: 'rules', label: 'approval_required', reason }
}

const temporary = ['/tmp', '/var/tmp', '/private/tmp']

function ofPlace(
  full: string,
  relative: string | null,
  target: Target,
  { approval, protect, place, writableFolders }: Surroundings,
): readonly Objection[] {
  const name = shortened(target.written)
  const asks = asksForUnknown(approval) && target.isRedirection
  const plainWrite: readonly Objection[] = asks
    ? asked('changes', 'approval_required', `it writes to \`${name}\``).objections
    : []
  if (relative === null) {
    if (isOutsideScript(full, protect, place))
      return asked('rules', 'protected_file', `\`${name}\` is run by a check`).objections
    const isFree = [...temporary, ...writableFolders].some((folder) => isWithin(full, leadsTo(folder, place)))
    const isAbove = isWithin(place.workFolder, full)
    if (isFree && !isAbove) return plainWrite
    return asked('sandbox_approval', 'outside_work_folder', `\`${name}\` is outside of the work folder`)
      .objections
  }
  if (/(?:^|\/)\.git(?:\/|$)/iu.test(relative))
    return asked('rules', 'protected_file', `\`${name}\` belongs to git: let git change it`).objections
  if (relative === '.donecheck' || kindOf(relative, protect) === 'donecheck-config')
    return [
      { decision: 'forbidden', label: 'protected_file', reason: `\`${name}\` holds the rules of this run` },
    ]
  return plainWrite
}

function asked(
  question: 'rules' | 'sandbox_approval' | 'undecidable' | 'changes',
  label: 'approval_required' | 'outside_work_folder' | 'protected_file' | 'undecidable_command',
  reason: string,
): PathExamination {
  return { matches: [], objections: [{ decision: 'prompt', question, label, reason }] }
}

function withObjection(matches: readonly RuleMatch[], objection: Objection): PathExamination {
  return { matches, objections: [objection] }
}

function floorMatch(
  {
    name,
    severity,
    justification,
  }: { name: string; severity: 'forbidden' | 'dangerous'; justification: string },
  { written, span }: Pick<Target, 'written' | 'span'>,
): RuleMatch {
  const decision = severity === 'forbidden' ? 'forbidden' : 'prompt'
  return { rule: `floor: ${name}`, decision, source: 'built-in', words: [written], span, justification }
}

function distinct<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
