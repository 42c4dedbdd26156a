import type { RunEvent } from '@donecheck/core/internal/events'
import { createWakeSignal, formatMessage } from '../live/index.ts'
import type { Workplace } from './workplace.ts'

const batchSize = 500

/** Yields every later event once and in order until the run stops. Each listener reads at its own pace. */
export async function* followRun(
  { changes, store, tails }: Workplace,
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const wakeSignal = createWakeSignal(signal)
  const stop = await changes.listen((runIds) => {
    if (runIds.includes(runId)) wakeSignal.wake()
  })
  try {
    let sequence = after
    while (!signal.aborted) {
      const events = await tails(`${runId} ${sequence}`, () => store.readAfter(runId, sequence, batchSize))
      const last = events.at(-1)
      if (last !== undefined) {
        yield events.map(formatEvent).join('')
        sequence = last.sequence
      } else if ((await store.summary(runId))?.reason === undefined) await wakeSignal.waitForWake()
      else {
        yield formatMessage({ event: 'end', data: { sequence } })
        return
      }
    }
  } finally {
    stop()
  }
}

function formatEvent(event: RunEvent): string {
  return formatMessage({ id: event.sequence, event: 'run-event', data: event })
}

/** Yields changed runs and the number of open questions. @param after the mark of the last message received */
export async function* followAll(workplace: Workplace, after: number | undefined, signal: AbortSignal) {
  const { changes, store } = workplace
  const wakeSignal = createWakeSignal(signal)
  const changed = new Set<string>()
  let mark = after
  const stop = await changes.listen((runIds, latest) => {
    for (const runId of runIds) changed.add(runId)
    mark = latest
    wakeSignal.wake()
  })
  try {
    // The first message carries a mark too, so that a listener who reconnects misses nothing.
    mark ??= (await store.changes()).latest
    if (after !== undefined) for (const runId of (await store.changes(after)).runIds) changed.add(runId)
    let open = -1
    while (!signal.aborted) {
      const runIds = [...changed]
      changed.clear()
      const id = mark
      const { length } = await store.openQuestions()
      const messages = [
        ...(await buildMessages(workplace, runIds)),
        ...(length === open ? [] : [{ event: 'questions', data: { open: length } }]),
      ]
      open = length
      // The mark comes last, so a listener that missed a part receives it again.
      const texts = messages.map((message, index) =>
        formatMessage({ ...message, ...(index === messages.length - 1 ? { id } : {}) }),
      )
      if (texts.length > 0) yield texts.join('')
      await wakeSignal.waitForWake()
    }
  } finally {
    stop()
  }
}

/** Above this number of runs, the listener must fetch the list again. */
const maxReportedRuns = 500

async function buildMessages(workplace: Workplace, runIds: readonly string[]) {
  if (runIds.length > maxReportedRuns) return [{ event: 'reload', data: { runs: runIds.length } }]
  const items = await Promise.all(runIds.map(workplace.readItem))
  return items.flatMap((item) => (item === undefined ? [] : [{ event: 'run', data: item }]))
}
