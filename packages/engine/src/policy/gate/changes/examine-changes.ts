import { posix } from 'node:path'
import type { FileChange } from '../../../ports/gate.ts'
import { kindOf, mayChange } from '../../../analysis/protect/index.ts'
import { sha256 } from '../../../base/index.ts'
import type { FileVersion } from '../../../analysis/tamper/index.ts'
import {
  ask,
  asksForUnknown,
  type Evaluation,
  forbid,
  nameOfPolicy,
  type Objection,
  onlyObjection,
  questionByRule,
  shortenText,
} from '../objections.ts'
import { matchOfPath } from '../decide/examine-command.ts'
import type { GateContext } from '../context.ts'

/**
 * The rules of tampering, which bring parsers along: who only asks about commands does without them. A gate loads them when
 * it is made, before anything runs that could change what is loaded.
 */
export const tamperRules = () => import('../../../analysis/tamper/index.ts')

/** What is said of a change of files before it is made. */
export async function examineChanges(files: readonly FileChange[], around: GateContext): Promise<Evaluation> {
  const places = files.map((file) => examineTarget(file, around))
  // What is not even in the tree need not be read.
  const isOut = places.some(({ objections }) => objections.some(({ decision }) => decision === 'forbidden'))
  const refused = isOut ? [] : await ofRefused(files, around)
  return {
    matches: places.flatMap(({ matches }) => matches),
    objections: [...places.flatMap(({ objections }) => objections), ...refused],
  }
}

function examineTarget({ path, after }: FileChange, { policy, place, approval }: GateContext): Evaluation {
  const name = shortenText(path)
  const isOutside =
    path === '' || path.startsWith('/') || path.split('/').includes('..') || path.includes('\0')
  if (isOutside)
    return onlyObjection(forbid('outside_work_folder', `\`${name}\` is outside of the work folder`))
  // Also of a repository in this one, whose settings git obeys as well.
  if (/(?:^|\/)\.git(?:\/|$)/iu.test(posix.normalize(path)))
    return onlyObjection(forbid('protected_file', `\`${name}\` belongs to git: let git change it`))
  if (/^\.donecheck(?:\/|$)/iu.test(posix.normalize(path)))
    return onlyObjection(forbid('protected_file', `\`${name}\` belongs to donecheck`))
  const rules = policy.matchPath([path, posix.join(place.workFolder, path)])
  const matches = rules.map((rule) => matchOfPath(rule, path, null))
  const forbidding = rules.find(({ decision }) => decision === 'forbidden')
  if (forbidding !== undefined) {
    const why = forbidding.justification ?? 'policy forbids to change it'
    return { matches, objections: [forbid('policy_forbidden', `\`${name}\` rejected: ${why}`)] }
  }
  const asked = rules
    .filter(({ decision }) => decision === 'prompt')
    .map(({ justification }) => ask('rules', 'approval_required', questionByRule(name, justification)))
  const isAllowed = rules.length > 0 && approval !== 'all'
  if (asked.length > 0 || isAllowed || !asksForUnknown(approval)) return { matches, objections: asked }
  const what = `to ${after === null ? 'remove' : 'change'} \`${name}\``
  const reason = `${what} requires approval: approval is "${nameOfPolicy(approval)}"`
  return { matches, objections: [ask('changes', 'approval_required', reason)] }
}

/**
 * What no honest change does to a check. Everything else that it does to one is found when the earlier checks are asked
 * beside the new ones.
 */
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

/** What cannot be looked at differs from everything. */
function versionOf(content: FileChange['before'], when: string): FileVersion | null {
  if (content === null) return null
  const text = content ?? null
  return { kind: 'file', digest: text === null ? `unknown ${when}` : sha256(text), mode: 0o644, text }
}
