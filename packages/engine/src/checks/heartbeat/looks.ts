/** Which call of a run is evidence that an item was looked at. */
import type { RunEvent } from '@donecheck/core/events'
import { canonicalJson } from '@donecheck/core/base'

export interface Look {
  readonly callId: string
  /** Name of the tool and its arguments, in small letters. */
  readonly words: string
}

/**
 * Calls that came back, but for those that only read the list itself: well, or with a failure of the command, which is what a look
 * at something broken gives.
 */
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

/**
 * The calls by item, in its order; none: nobody has looked. What an item names (in backticks, as a path or an address) must stand
 * in calls, each of it. An item that names nothing is matched by a word of its own, or by a call that speaks of no other item.
 */
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
  const targets = targetsOf(item)
  if (targets.length > 0) {
    const calls = targets.map((target) => looks.filter(({ words }) => words.includes(target)))
    return calls.some((found) => found.length === 0) ? [] : calls.flat().map(({ callId }) => callId)
  }
  const own = wordsOf(item)
  return looks.filter(({ words }) => own.some((word) => words.includes(word))).map(({ callId }) => callId)
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

/** Words that say what to do, and not with what. */
const common = new Set(
  'about anything are before check checks check: does ensure every from have hour hours inspect look make minutes needs nothing please read report review should something sure that them there these they this today urgent verify when whether with your'.split(
    ' ',
  ),
)

function wordsOf(item: string): readonly string[] {
  const words = item.toLowerCase().match(/\p{L}{4,}/gu) ?? []
  return words
    .filter((word) => !common.has(word))
    .map((word) => (word.length > 4 ? word.replace(/s$/u, '') : word))
}

/** Calls that left something running, by what they ran. */
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
