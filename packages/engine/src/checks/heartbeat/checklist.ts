/** What is to be looked at again and again, as people write it down in a `HEARTBEAT.md`. */

export interface ChecklistItem {
  /** One line, without its bullet. */
  readonly text: string
  /** Looked at no more often than that. Undefined: each time. */
  readonly everyMs: number | undefined
  readonly isCheckedOff: boolean
}

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
const wordsMs = { hourly: unitsMs.h, daily: unitsMs.d, weekly: unitsMs.w } as const

/**
 * Every line that says something: not blanks, headings, comments, fence marks, empty bullets and boxes. An indented line and what
 * stands in a fence belong to the item above.
 */
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

/** @param lastLookMs when an item was last looked at; undefined: never, as far as anybody knows */
export function isDue(
  { isCheckedOff, everyMs }: ChecklistItem,
  nowMs: number,
  lastLookMs: number | undefined,
): boolean {
  if (isCheckedOff) return false
  return everyMs === undefined || lastLookMs === undefined || nowMs - lastLookMs >= everyMs
}
