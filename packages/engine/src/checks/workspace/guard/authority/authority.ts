/** Who has allowed a change of the check side: a flag beforehand, a waiver, or a person who was asked. */
import { hash } from 'node:crypto'
import picomatch from 'picomatch'
import type { AuthorityEvidence } from '@donecheck/core/verdicts'
import { mayChange, type ProtectOptions } from '../../../../analysis/protect/index.ts'
import type { TamperRule } from '../../../../analysis/tamper/index.ts'
import type { GuardMemory } from '../memory.ts'
import { isInForce, type GuardWaiver, type TamperGuardOptions } from '../options.ts'

/** A change that needs a name. */
export interface OpenChange {
  /** Relative to the work folder, or what it is called where it is no file of it. */
  readonly path: string
  /** Of path and content: leave for one content is none for another. */
  readonly key: string
  /** The rule that noticed it. Absent: it is a changed file of the check side. */
  readonly rule?: TamperRule
}

/** By whom it is allowed, and why. */
export interface Grant {
  readonly by: string
  readonly reason: string
  readonly waiver?: GuardWaiver
}

export interface AuthorityContext {
  readonly options: Pick<TamperGuardOptions, 'waivers'>
  readonly protect: ProtectOptions
  readonly memory: GuardMemory
  readonly nowMs: number
}

export function keyOf(...parts: readonly string[]): string {
  return hash('sha256', parts.join('\0'))
}

/** Where the rules of a run are written: whoever writes there would allow it to himself. */
const neverFree: readonly TamperRule[] = ['config.donecheck-changed']

/** Undefined: nobody has allowed it. */
export function grantFor(change: OpenChange, context: AuthorityContext): Grant | undefined {
  const { options, protect, memory, nowMs } = context
  if (change.rule !== undefined && neverFree.includes(change.rule)) return undefined
  if (mayChange(change.path, protect)) return { by: '--may-change', reason: '' }
  const waiver = options.waivers?.find((known) => covers(known, change) && isInForce(known, nowMs))
  return waiver === undefined ? memory.allowed[change.key] : { by: waiver.by, reason: waiver.reason, waiver }
}

/** Those that nobody has allowed. */
export function openOf<Change extends OpenChange>(
  changes: readonly Change[],
  context: AuthorityContext,
): readonly Change[] {
  return changes.filter((change) => grantFor(change, context) === undefined)
}

/** Those that somebody has allowed, by path. */
export function grantsOf(
  changes: readonly OpenChange[],
  context: AuthorityContext,
): readonly (readonly [path: string, grant: Grant])[] {
  return changes.flatMap((change) => {
    const grant = grantFor(change, context)
    return grant === undefined ? [] : [[change.path, grant]]
  })
}

/**
 * Whether the waiver is about this change, whatever its last day. A changed file of the check side has no rule: it is covered by
 * its path.
 */
export function covers({ rule, path }: GuardWaiver, change: OpenChange): boolean {
  if (change.rule === undefined ? path === undefined : rule !== undefined && rule !== change.rule)
    return false
  return path === undefined || path === change.path || picomatch.isMatch(change.path, path, { dot: true })
}

/** One piece of evidence for each who has allowed something. */
export function authorityEvidence(
  granted: readonly (readonly [path: string, grant: Grant])[],
): readonly AuthorityEvidence[] {
  const byName = Map.groupBy(granted, ([, { by, reason }]) => JSON.stringify([by, reason]))
  return [...byName.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { by, reason } = first[1]
    return [{ kind: 'authority', paths: group.map(([path]) => path).sort(), by, reason }]
  })
}
