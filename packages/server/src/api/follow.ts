/** What those who listen are told: the events of one run without a gap, or which runs have changed. */
import type { RunEvent } from '@donecheck/core/internal/events'
import { bell, messageText } from '../live/index.ts'
import type { Workplace } from './route.ts'

const batchSize = 500

/**
 * Every event after this one, each once and in order, until the run has stopped: each listener goes by its own place in the record.
 */
export async function* followRun(
  { changes, store, tails }: Workplace,
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const news = bell(signal)
  const stop = await changes.listen((runIds) => {
    if (runIds.includes(runId)) news.ring()
  })
  try {
    let sequence = after
    while (!signal.aborted) {
      const events = await tails(`${runId} ${sequence}`, () => store.readAfter(runId, sequence, batchSize))
      const last = events.at(-1)
      if (last !== undefined) {
        yield events.map(eventText).join('')
        sequence = last.sequence
      } else if ((await store.summary(runId))?.reason === undefined) await news.rung()
      else {
        yield messageText({ event: 'end', data: { sequence } })
        return
      }
    }
  } finally {
    stop()
  }
}

function eventText(event: RunEvent): string {
  return messageText({ id: event.sequence, event: 'run-event', data: event })
}

/** Runs that change, as items, and how many questions are open. @param after the mark of the last message, see `Changes` */
export async function* followAll(place: Workplace, after: number | undefined, signal: AbortSignal) {
  const { changes, store } = place
  const news = bell(signal)
  const changed = new Set<string>()
  let mark = after
  const stop = await changes.listen((runIds, latest) => {
    for (const runId of runIds) changed.add(runId)
    mark = latest
    news.ring()
  })
  try {
    // The first message carries a mark too: a listener who is cut off right after it continues without a gap.
    mark ??= (await store.changes()).latest
    if (after !== undefined) for (const runId of (await store.changes(after)).runIds) changed.add(runId)
    let open = -1
    while (!signal.aborted) {
      const runIds = [...changed]
      changed.clear()
      const id = mark
      const { length } = await store.openQuestions()
      const messages = [
        ...(await messagesOf(place, runIds)),
        ...(length === open ? [] : [{ event: 'questions', data: { open: length } }]),
      ]
      open = length
      // The mark stands at the end: who has not got all of it is told again.
      const texts = messages.map((message, index) =>
        messageText({ ...message, ...(index === messages.length - 1 ? { id } : {}) }),
      )
      if (texts.length > 0) yield texts.join('')
      await news.rung()
    }
  } finally {
    stop()
  }
}

/** More than that at once are not told one by one: the listener lists them anew. */
const maxTold = 500

async function messagesOf(place: Workplace, runIds: readonly string[]) {
  if (runIds.length > maxTold) return [{ event: 'reload', data: { runs: runIds.length } }]
  const items = await Promise.all(runIds.map(place.itemOf))
  return items.flatMap((item) => (item === undefined ? [] : [{ event: 'run', data: item }]))
}
