/** A heartbeat: a drive looks at a checklist, and its word that all is well needs evidence of a look at each item. */
import type { Evidence } from '@donecheck/core/verdicts'
import type { RunEvent } from '@donecheck/core/events'
import { assertKnownKeys, type OptionKeys } from '../../base/index.ts'
import type { Verifier } from '../../ports/checks.ts'
import { verifierOf } from '../verify/index.ts'
import { isDue, readChecklist } from './checklist.ts'
import { allClearToken, readHeartbeatReply } from './heartbeat-reply.ts'
import { backgroundIn, looksByItem, looksIn } from './looks.ts'

export const heartbeatName = 'heartbeat'

/** Plain data: it can be kept with the run. */
export interface HeartbeatPlan {
  /** What the list is called, such as `HEARTBEAT.md`. */
  readonly name: string
  readonly due: readonly string[]
  readonly notDue: readonly string[]
}

export interface PlanRequest {
  /** Default `HEARTBEAT.md`. */
  readonly name?: string
  readonly checklist: string
  readonly nowMs: number
  /** When each item was last looked at, by its text. */
  readonly lastLooks: ReadonlyMap<string, number>
}

/** Nothing due: no drive need be asked. */
export function planHeartbeat({
  name = 'HEARTBEAT.md',
  checklist,
  nowMs,
  lastLooks,
}: PlanRequest): HeartbeatPlan {
  const items = readChecklist(checklist).map((item) => ({
    text: item.text,
    due: isDue(item, nowMs, lastLooks.get(item.text)),
  }))
  const textsOf = (due: boolean) => items.filter((item) => item.due === due).map(({ text }) => text)
  return { name, due: textsOf(true), notDue: textsOf(false) }
}

/** What the drive is asked to do. */
export function heartbeatTask({ name, due }: HeartbeatPlan): string {
  return [
    `This is a heartbeat: look at each item of ${name} that is due, now and with your tools. What you remember of an earlier look is no look.`,
    due.map((item, index) => `${index + 1}. ${item}`).join('\n'),
    `If something needs attention, say what. If you have looked at every item and nothing does, answer ${allClearToken} and nothing else.`,
  ].join('\n\n')
}

export interface HeartbeatCheckOptions {
  readonly plan: HeartbeatPlan
  /** What the host knows to be still running; beside what the record shows. */
  readonly background?: () => readonly string[]
}

const checkKeys: OptionKeys<HeartbeatCheckOptions> = { plan: 'needed', background: true }

const lookedMark = 'looked at: '

/**
 * Reads the record and the answer, and asks no model. `passed`: a report or all clear, with evidence of a look (a
 * call that came back) at each item that is due. `failed`: nothing was looked at (`goal_missed`), or not everything, or
 * nothing was said. `pending`: all clear is claimed while background work goes on.
 */
export function heartbeatCheck(options: HeartbeatCheckOptions): Verifier {
  assertKnownKeys(options, checkKeys, 'heartbeatCheck')
  const { plan, background = () => [] } = options
  return verifierOf(
    heartbeatName,
    ({ finalText, events = () => [] }) => reportOf(plan, finalText, events(), background()),
    { reads: 'answer' },
  )
}

interface HeartbeatReport {
  readonly status: 'passed' | 'failed' | 'pending'
  readonly reason: string
  readonly evidence?: readonly Evidence[]
}

function reportOf(
  { name, due }: HeartbeatPlan,
  text: string,
  events: readonly RunEvent[],
  running: readonly string[],
): HeartbeatReport {
  const looks = looksIn(events, name)
  if (due.length > 0 && looks.length === 0) {
    const reason = `[goal_missed] nothing was looked at: no call came back, and due are ${quoted(due)}`
    return { status: 'failed', reason }
  }
  const calls = looksByItem(due, looks)
  const isSeen = (_: string, index: number) => (calls[index] ?? []).length > 0
  const evidence = due
    .filter(isSeen)
    .map((item): Evidence => ({ kind: 'note', text: `${lookedMark}${item}` }))
  const { claimsAllClear, rest } = readHeartbeatReply(text)
  if (!claimsAllClear && rest === '')
    return { status: 'failed', reason: '[incomplete] the heartbeat says nothing', evidence }
  const missing = due.filter((item, index) => !isSeen(item, index))
  if (missing.length > 0) {
    const claim = claimsAllClear ? 'all clear is claimed' : 'the heartbeat reports'
    const reason = `[incomplete] ${claim}, and not looked at: ${quoted(missing)}`
    return { status: 'failed', reason, evidence }
  }
  if (!claimsAllClear) return { status: 'passed', reason: 'the heartbeat reports after a look', evidence }
  const left = [...backgroundIn(events), ...running]
  if (left.length > 0) {
    const reason = `waiting, not all clear: work goes on in the background: ${quoted(left)}`
    return { status: 'pending', reason, evidence }
  }
  const reason = `all clear: ${due.length} of ${due.length} due items were looked at`
  return { status: 'passed', reason, evidence }
}

function quoted(texts: readonly string[]): string {
  return texts.map((text) => `"${text.length <= 200 ? text : `${text.slice(0, 199)}…`}"`).join(', ')
}

/** Items that a heartbeat of this record was seen to look at, with the time. */
export function looksOfRecord(
  events: readonly RunEvent[],
): readonly (readonly [item: string, timeMs: number])[] {
  return events.flatMap((event) => {
    if (event.type !== 'verdict-given' || event.verdict.verifier !== heartbeatName) return []
    return event.verdict.evidence.flatMap((piece) =>
      piece.kind === 'note' && piece.text.startsWith(lookedMark)
        ? [[piece.text.slice(lookedMark.length), event.timeMs] as const]
        : [],
    )
  })
}
