/** What no experiment can answer: what is refused outright, and what needs somebody's name whatever the checks say. */
import type { GuardResponse } from '@donecheck/core/verdicts'
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
import type { SidedChanges } from './compare/sided-changes.ts'
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
  const lost = openOf(sides.checkSide, context).filter((change) => !canBePutBack(change))
  return [
    ...findRefusedChanges(changes).map(ruleOn('refuse')),
    ...[...cheatingSources(sides.product), ...beside, ...lost.map(lostFinding)].map(ruleOn('ask')),
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
