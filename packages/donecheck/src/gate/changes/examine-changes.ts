import { posix } from 'node:path'
import type { RuleMatch } from '../../events/index.ts'
import type { FileChange } from '../../gate-ports.ts'
import { protectionOf } from '../../protect/index.ts'
import type { Responses } from '../../tamper/index.ts'
import { asksForUnknown, nameOfPolicy } from '../approval-policy.ts'
import type { Objection } from '../decide/objection.ts'
import { matchOfPath } from '../decide/rule-matches.ts'
import type { Surroundings } from '../decide/surroundings.ts'
import { askedByRule, shortened } from '../decide/wording.ts'
import type { KnownChanges } from './known-changes.ts'
import { tamperRules } from './tamper-rules.ts'

/** What is compared with what, and what is done about a finding. */
export interface ChangeMemory {
  readonly known: KnownChanges
  /** Undefined: the usual ones. */
  readonly responses: Responses | undefined
  /** Only changes of files that decide whether work is done are compared. */
  readonly isForOneCall?: boolean
}

export interface ChangeExamination {
  readonly matches: readonly RuleMatch[]
  readonly objections: readonly Objection[]
}

/** What is said of a change of files before it is made. */
export async function examineChanges(
  files: readonly FileChange[],
  memory: ChangeMemory,
  around: Surroundings,
): Promise<ChangeExamination> {
  const places = files.map((file) => ofPlace(file, around))
  // What is not even in the tree need not be read.
  const isOut = places.some(({ objections }) => objections.some(({ decision }) => decision === 'forbid'))
  const tampering = isOut ? [] : await ofTampering(compared(files, memory, around), memory, around)
  return {
    matches: places.flatMap(({ matches }) => matches),
    objections: [...places.flatMap(({ objections }) => objections), ...tampering],
  }
}

function ofPlace({ path, after }: FileChange, { policy, place, approval }: Surroundings): ChangeExamination {
  const name = shortened(path)
  const forbid = (label: 'outside_work_folder' | 'protected_file', why: string): ChangeExamination => ({
    matches: [],
    objections: [{ decision: 'forbid', label, reason: `\`${name}\` ${why}` }],
  })
  const isOutside =
    path === '' || path.startsWith('/') || path.split('/').includes('..') || path.includes('\0')
  if (isOutside) return forbid('outside_work_folder', 'is outside of the work folder')
  if (/^\.git(?:\/|$)/iu.test(posix.normalize(path)))
    return forbid('protected_file', 'belongs to git: let git change it')
  if (/^\.donecheck(?:\/|$)/iu.test(posix.normalize(path)))
    return forbid('protected_file', 'belongs to donecheck')
  const rules = policy.matchPath([path, posix.join(place.workFolder, path)])
  const matches = rules.map((rule) => matchOfPath(rule, path, null))
  const forbidding = rules.find(({ decision }) => decision === 'forbidden')
  if (forbidding !== undefined) {
    const reason = `\`${name}\` rejected: ${forbidding.justification ?? 'policy forbids to change it'}`
    return { matches, objections: [{ decision: 'forbid', label: 'policy_forbidden', reason }] }
  }
  const asking = rules.filter(({ decision }) => decision === 'prompt')
  if (asking.length > 0)
    return {
      matches,
      objections: asking.map(({ justification }) => asked('rules', askedByRule(name, justification))),
    }
  const isAllowed = rules.length > 0 && approval !== 'all'
  if (isAllowed || !asksForUnknown(approval)) return { matches, objections: [] }
  const what = after === null ? 'remove' : 'change'
  return {
    matches,
    objections: [
      asked('changes', `to ${what} \`${name}\` requires approval: approval is "${nameOfPolicy(approval)}"`),
    ],
  }
}

function asked(question: 'rules' | 'changes', reason: string): Objection {
  return { decision: 'prompt', question, label: 'approval_required', reason }
}

function compared(
  files: readonly FileChange[],
  { isForOneCall }: ChangeMemory,
  { protect }: Surroundings,
): readonly FileChange[] {
  return isForOneCall === true ? files.filter(({ path }) => protectionOf(path, protect) !== undefined) : files
}

async function ofTampering(
  files: readonly FileChange[],
  { known, responses }: ChangeMemory,
  { protect }: Surroundings,
): Promise<readonly Objection[]> {
  if (files.length === 0) return []
  const { defaultResponses, responseTo } = await tamperRules()
  const findings = await known.inspect(files, protect)
  return findings.flatMap((finding): readonly Objection[] => {
    const response = responseTo(finding, responses ?? defaultResponses, protect)
    if (response === 'note') return []
    const where = finding.line === undefined ? finding.path : `${finding.path}:${finding.line}`
    const reason = `${where}: ${finding.message} (${finding.rule})`
    return response === 'ask'
      ? [{ decision: 'prompt', question: 'changes', label: 'protected_file', reason }]
      : [{ decision: 'forbid', label: 'protected_file', reason: `${reason}; the checks may not be weakened` }]
  })
}
