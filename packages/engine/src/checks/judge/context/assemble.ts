/** What a judge reads: everything as data between fences, the task whole, the answer last, within a budget. Pure. */
import {
  beginning,
  partNames,
  partsOf,
  type Entry,
  type JudgedCase,
  type PartName,
  type Parts,
} from './entries.ts'
import { fenceAround, type Fence } from '../../../base/index.ts'

export interface JudgeContext {
  readonly text: string
  /** Marks the lines between which data stands. */
  readonly nonce: string
}

/**
 * @param maxLength UTF-16 units. What goes first: the oldest turns, the oldest calls, the end of the changes, the end of the
 * rules, the oldest feedback. Message, verdicts and answer stay, so a very long message makes a longer context.
 */
export function assembleContext(judged: JudgedCase, maxLength: number): JudgeContext {
  const parts = fitParts(partsOf(judged), maxLength)
  const entries = partNames.flatMap((name) => parts[name])
  const fence = fenceAround(entries.flatMap(({ title, text }) => [title, text]))
  return { text: entries.map((entry) => fenced(entry, fence)).join(separator), nonce: fence.nonce }
}

const separator = '\n\n'

function fenced({ title, text }: Entry, fence: Fence): string {
  return `${fence.open(title)}\n${text}\n${fence.close}`
}

const sizedFence = fenceAround([])

function lengthOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + fenced(entry, sizedFence).length + separator.length, 0)
}

/** What may go, in this order. */
const cuts: readonly (readonly [PartName, (entries: readonly Entry[], by: number) => readonly Entry[]])[] = [
  ['turns', withoutOldest],
  ['evidence', withoutOldest],
  ['changes', withoutEnd],
  ['rules', withoutEnd],
  ['feedback', withoutOldest],
]

function fitParts(parts: Parts, maxLength: number): Parts {
  let fitted = parts
  let excess = partNames.reduce((sum, name) => sum + lengthOf(parts[name]), 0) - maxLength
  for (const [name, cut] of cuts) {
    if (excess <= 0) break
    fitted = { ...fitted, [name]: cut(parts[name], excess) }
    excess -= lengthOf(parts[name]) - lengthOf(fitted[name])
  }
  return fitted
}

function withoutOldest(entries: readonly Entry[], by: number): readonly Entry[] {
  let freed = 0
  let dropped = 0
  for (const entry of entries) {
    if (freed >= by) break
    freed += lengthOf([entry])
    dropped += 1
  }
  return entries.slice(dropped)
}

/** From the last back; what is left of a text too short to say anything goes whole. */
function withoutEnd(entries: readonly Entry[], by: number): readonly Entry[] {
  const last = entries.at(-1)
  if (last === undefined || by <= 0) return entries
  const shown = beginning(last.text, last.text.length - by)
  if (shown !== '') return [...entries.slice(0, -1), { ...last, text: shown }]
  return withoutEnd(entries.slice(0, -1), by - lengthOf([last]))
}
