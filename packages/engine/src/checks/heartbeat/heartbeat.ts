import type { Evidence } from '@donecheck/core/internal/events/verdicts'
import type { RunEvent } from '@donecheck/core/internal/events'
import { undecidedResult, type Verifier } from '../../ports/checks.ts'
import { canonicalJson } from '@donecheck/core/internal/base'

export const heartbeatName = 'heartbeat'

/** Plain data, stored with the run. */
export interface HeartbeatPlan {
  /** Name of the list. Default `HEARTBEAT.md`. */
  readonly name: string
  readonly due: readonly string[]
  readonly notDue: readonly string[]
}

interface PlanRequest {
  /** Default `HEARTBEAT.md`. */
  readonly name?: string
  readonly checklist: string
  readonly nowMs: number
  /** Time of the last look at each item, by text. */
  readonly lastLooks: ReadonlyMap<string, number>
}

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

export function heartbeatTask({ name, due }: HeartbeatPlan): string {
  return [
    `This is a heartbeat: look at each item of ${name} that is due, now and with your tools. What you remember of an earlier look is no look.`,
    due.map((item, index) => `${index + 1}. ${item}`).join('\n'),
    `If something needs attention, say what. If you have looked at every item and nothing does, answer ${allClearToken} and nothing else.`,
  ].join('\n\n')
}

interface HeartbeatCheckOptions {
  readonly plan: HeartbeatPlan
  /** What the host knows to be still running, in addition to the record. */
  readonly background?: () => readonly string[]
}

const lookedMark = 'looked at: '

/** Reads the record, calls no model. `passed` needs a call per due item; `pending`: background work. */
export function heartbeatCheck(options: HeartbeatCheckOptions): Verifier {
  const { plan, background = () => [] } = options
  return {
    description: {
      ...{ name: heartbeatName, required: true, weight: 1, role: 'check' },
      ...{ deterministic: true, reads: 'answer' },
    },
    // It reads the record, so its verdict is never reused for another turn.
    hasReadRun: () => true,
    verify: async ({ finalText, events = () => [] }, signal) =>
      signal.aborted
        ? undecidedResult('interrupted')
        : {
            ...{ canRetry: true, qualifiers: [], evidence: [] },
            ...reportOf(plan, finalText, events(), background()),
          },
  }
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

/** Items that this record shows a look at, with the time. */
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

interface ChecklistItem {
  /** One line, without its bullet. */
  readonly text: string
  /** Minimum interval; undefined: due every time. */
  readonly everyMs: number | undefined
  readonly isCheckedOff: boolean
}

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
const wordsMs = { hourly: unitsMs.h, daily: unitsMs.d, weekly: unitsMs.w } as const

/** Parses every line with content. Indented and fenced lines belong to the item above. */
export function readChecklist(text: string): readonly ChecklistItem[] {
  const lines = text.replace(/<!--[\s\S]*?(?:-->|$)/gu, '').split(/\r?\n/u)
  const items: string[] = []
  let isFenced = false
  for (const line of lines) {
    if (/^\s*(?:```|~~~)/u.test(line)) {
      isFenced = !isFenced
      continue
    }
    if (saysNothing(line) && !isFenced) continue
    const last = items.at(-1)
    const belongs = isFenced || (/^\s/u.test(line) && !bullet.test(line))
    if (belongs && last !== undefined) items[items.length - 1] = `${last} ${line.trim()}`.trimEnd()
    else if (line.trim() !== '') items.push(line.trim())
  }
  return items.map(itemOf)
}

const bullet = /^\s*(?:[-*+]|\d+[.)])(?:\s+|$)/u

function saysNothing(line: string): boolean {
  const words = line.replace(bullet, '').replace(/^\[[ xX]?\]\s*/u, '')
  return words.trim() === '' || /^\s*#{1,6}(?:\s|$)/u.test(line)
}

function itemOf(line: string): ChecklistItem {
  const words = line.replace(bullet, '')
  const isCheckedOff = /^\[[xX]\]/u.test(words)
  const text = words.replace(/^\[[ xX]?\]\s*/u, '').trim()
  return { text, everyMs: everyMsOf(text), isCheckedOff }
}

/** `(every 2h)`, `(every 30 minutes)`, `(daily)`. */
function everyMsOf(text: string): number | undefined {
  const word = /\((hourly|daily|weekly)\)/iu.exec(text)?.[1]?.toLowerCase()
  if (word === 'hourly' || word === 'daily' || word === 'weekly') return wordsMs[word]
  const [, count, unit] =
    /\(every\s+(?:(\d+)\s*)?(m|h|d|w)(?:in(?:ute)?s?|ours?|ays?|eeks?)?\)/iu.exec(text.toLowerCase()) ?? []
  if (unit !== 'm' && unit !== 'h' && unit !== 'd' && unit !== 'w') return undefined
  return Number(count ?? 1) * unitsMs[unit]
}

/** @param lastLookMs time of the last look; undefined if never */
export function isDue(
  { isCheckedOff, everyMs }: ChecklistItem,
  nowMs: number,
  lastLookMs: number | undefined,
): boolean {
  if (isCheckedOff) return false
  return everyMs === undefined || lastLookMs === undefined || nowMs - lastLookMs >= everyMs
}

const allClearToken = 'HEARTBEAT_OK'

interface HeartbeatReply {
  /** The token starts or ends the text. */
  readonly claimsAllClear: boolean
  /** Text without the token. */
  readonly rest: string
}

/** Marks of bold, code, quotes and tags around the token. */
const around = String.raw`(?:[*_\x60"'~]|<\/?\w+>)*`
const atStart = new RegExp(
  String.raw`^\s*${around}${allClearToken}(?![A-Za-z0-9_])${around}[.!,:;–—-]{0,4}`,
  'u',
)
const atEnd = new RegExp(
  String.raw`${around}(?<![A-Za-z0-9_])${allClearToken}${around}[^\p{L}\p{N}_\n]{0,4}\s*$`,
  'u',
)

/** A token in the middle of the text is ordinary text. */
export function readHeartbeatReply(text: string): HeartbeatReply {
  let rest = text
  for (;;) {
    const stripped = rest.replace(atStart, '').replace(atEnd, '')
    if (stripped === rest) break
    rest = stripped
  }
  return { claimsAllClear: rest !== text, rest: rest.trim() }
}

interface Look {
  readonly callId: string
  /** Tool name and arguments, in lower case. */
  readonly words: string
}

/** Returned calls other than checklist reads. A failed command counts: broken things fail. */
export function looksIn(events: readonly RunEvent[], checklistName: string): readonly Look[] {
  const commands = new Set(
    events.flatMap((event) =>
      event.type === 'tool-called' && event.effect === 'execute' ? [event.callId] : [],
    ),
  )
  const done = returned(
    events,
    (status, callId) => status === 'ok' || (status === 'error' && commands.has(callId)),
  )
  const own = checklistName.toLowerCase()
  return events.flatMap((event) => {
    if (event.type !== 'model-replied') return []
    return event.toolCalls
      .filter(({ callId }) => done.has(callId))
      .map(({ callId, tool, args }) => ({ callId, words: `${tool} ${canonicalJson(args)}`.toLowerCase() }))
      .filter(({ words }) => !words.includes(own))
  })
}

function returned(
  events: readonly RunEvent[],
  isWanted: (status: Extract<RunEvent, { type: 'tool-returned' }>['status'], callId: string) => boolean,
): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) =>
      event.type === 'tool-returned' && isWanted(event.status, event.callId) ? [event.callId] : [],
    ),
  )
}

/** Calls per item, containing its names, paths and URLs; without any, a call no other item matches. */
export function looksByItem(
  items: readonly string[],
  looks: readonly Look[],
): readonly (readonly string[])[] {
  const matched = items.map((item) => callsNaming(item, looks))
  const used = new Set(matched.flat())
  const free = looks.map(({ callId }) => callId).filter((callId) => !used.has(callId))
  return matched.map((calls, index) => {
    if (calls.length > 0 || targetsOf(items[index] ?? '').length > 0) return calls
    const [next] = free.splice(0, 1)
    return next === undefined ? [] : [next]
  })
}

function callsNaming(item: string, looks: readonly Look[]): readonly string[] {
  const calls = targetsOf(item).map((target) => looks.filter(({ words }) => words.includes(target)))
  return calls.some((found) => found.length === 0) ? [] : calls.flat().map(({ callId }) => callId)
}

function targetsOf(item: string): readonly string[] {
  const quoted = [...item.matchAll(/`([^`]+)`/gu)].map(([, target = '']) => target)
  const bare = item
    .replace(/`[^`]*`/gu, ' ')
    .match(
      /(?:https?:\/\/\S+|(?<![\w/])(?:~|\.{1,2})?\/[\w./~-]+|[\w.~-]+\/[\w./~-]*\.\w{1,5}\b|[\w-]{2,}\.[a-z]\w{1,4}\b)/giu,
    )
  return [...quoted, ...(bare ?? [])]
    .map((target) =>
      target
        .replace(/[.,;:!?)]+$/u, '')
        .trim()
        .toLowerCase(),
    )
    .filter((target) => target !== '')
}

/** Calls that left a process running, by command. */
export function backgroundIn(events: readonly RunEvent[]): readonly string[] {
  const started = returned(events, (status) => status === 'ok')
  return events.flatMap((event) => {
    if (event.type !== 'model-replied') return []
    return event.toolCalls.flatMap(({ callId, tool, args }) => {
      if (!started.has(callId)) return []
      if (typeof args !== 'object' || args === null || Array.isArray(args)) return []
      const given = new Map<string, unknown>(Object.entries(args))
      const line = given.get('command')
      const isLeft = given.get('run_in_background') === true || given.get('background') === true
      const isSent = typeof line === 'string' && /(?<!&)&\s*$/u.test(line)
      return isLeft || isSent ? [typeof line === 'string' ? line : tool] : []
    })
  })
}
