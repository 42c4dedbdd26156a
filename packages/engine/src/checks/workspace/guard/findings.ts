/** What no experiment can answer: what is refused outright, and what needs somebody's name whatever the checks say. */
import type { GuardResponse } from '@donecheck/core/verdicts'
import { placementOf } from '../../../analysis/sides/index.ts'
import { cheatingSources, findRefusedChanges, type TamperFinding } from '../../../analysis/tamper/index.ts'
import {
  covers,
  grantFor,
  keyOf,
  openOf,
  type AuthorityContext,
  type Grant,
  type OpenChange,
} from './authority/authority.ts'
import { canBePutBack } from './trees/independent-tree.ts'
import { isInForce } from './options.ts'
import type { CheckSideChange, SidedChanges } from './compare/sided-changes.ts'
import type { TreeChange } from './compare/changes.ts'

/** A finding, and what follows from it. */
export interface Ruling extends OpenChange {
  readonly finding: TamperFinding
  readonly response: Exclude<GuardResponse, 'restore'>
  /** Who has allowed it. */
  readonly grant?: Grant | undefined
}

export interface GuardChanges {
  readonly changes: readonly TreeChange[]
  readonly sides: SidedChanges
  /** Of what stands beside the tree: installed runners, git, configuration elsewhere, processes. */
  readonly beside: readonly TamperFinding[]
}

/**
 * A product file that may reach into the checks is put back for the independent tree: what is green without it was not made green by
 * it. Only where the work needs it must a person look.
 */
export function withSuspects(sides: SidedChanges): SidedChanges {
  const found = new Map(
    cheatingSources(sides.product).flatMap((one) => (one.atMost === undefined ? [[one.path, one]] : [])),
  )
  const suspects = sides.product.flatMap((change): readonly CheckSideChange[] => {
    const { path, after } = change
    const finding = found.get(path)
    if (finding === undefined) return []
    const { rule, message } = finding
    const placement = placementOf(path, 'reaches-into-checks', message)
    const suspect = {
      path,
      rule,
      key: keyOf('file', path, after?.digest ?? ''),
      change,
      placement,
      text: undefined,
    }
    return canBePutBack(suspect) ? [suspect] : []
  })
  const paths = new Set(suspects.map(({ path }) => path))
  return { ...sides, checkSide: [...sides.checkSide.filter(({ path }) => !paths.has(path)), ...suspects] }
}

export function rulingsOn(
  { changes, sides, beside }: GuardChanges,
  context: AuthorityContext,
): readonly Ruling[] {
  const contents = new Map(changes.map(({ path, after }) => [path, after?.digest ?? '']))
  const ruleOn = (response: Ruling['response']) => (finding: TamperFinding) => {
    const { rule, path, message, atMost } = finding
    const late = expiredFor({ path, rule, key: '' }, context)
    const open: OpenChange = {
      path,
      rule,
      key: keyOf('finding', rule, path, contents.get(path) ?? '', message),
    }
    return {
      ...open,
      finding: { ...finding, message: `${message}${late}` },
      response: atMost ?? response,
      grant: grantFor(open, context),
    }
  }
  const asked = new Set(sides.checkSide.flatMap(({ path, rule }) => (rule === undefined ? [] : [path])))
  const cheats = cheatingSources(sides.product).filter(
    ({ path, atMost }) => atMost !== undefined || !asked.has(path),
  )
  const lost = openOf(sides.checkSide, context).filter((change) => !canBePutBack(change))
  return [
    ...findRefusedChanges(changes).map(ruleOn('refuse')),
    ...[...cheats, ...beside, ...lost.map(lostFinding)].map(ruleOn('ask')),
  ]
}

/** A waiver that ran out lets nothing pass, and is not silent about it. */
function expiredFor(change: OpenChange, { options, nowMs }: AuthorityContext): string {
  const waiver = options.waivers?.find((known) => covers(known, change) && !isInForce(known, nowMs))
  return waiver === undefined ? '' : ` (the waiver of ${waiver.by} expired on ${waiver.until})`
}

/** Those that nobody has allowed. */
export function openRulings(rulings: readonly Ruling[], response: Ruling['response']): readonly Ruling[] {
  return rulings.filter((ruling) => ruling.response === response && ruling.grant === undefined)
}

function lostFinding({ path }: OpenChange): TamperFinding {
  return {
    rule: 'check-script.changed',
    path,
    message:
      'it belongs to the checks, and what it was before was not kept: the earlier checks cannot be run without it',
  }
}
