import { sha256, CorruptEventError } from '@donecheck/engine/internal/base'
import type { KeptQuestion } from '@donecheck/engine/internal/ports/questions'
import type { RunSummary, Store } from '@donecheck/engine/internal/ports/store'
import { oneLine } from '@donecheck/engine/display'
import type { RunEvent } from '@donecheck/engine'

export interface RunUpdate {
  /** The same for the same event, regardless of which process finds it. */
  readonly key: string
  readonly type:
    'run.done' | 'run.capped' | 'run.blocked' | 'run.stopped' | 'run.waiting' | 'approval.requested'
  readonly timeMs: number
  readonly data: Readonly<Record<string, string | number | null>>
}

/** In UTF-16 units. Limited because models influence these texts. */
const maxTextLength = 500

type RunStopped = Extract<RunEvent, { type: 'run-stopped' }>

function buildEndUpdate(
  { runId, sequence, timeMs, transition }: RunStopped,
  { task }: RunSummary,
): RunUpdate {
  const { outcome, reason, message, cap = null, detector = null } = transition
  return {
    key: `${runId} ${sequence}`,
    type: findEndType(transition),
    timeMs,
    data: {
      ...{ runId, sequence, outcome, reason, cap, detector },
      task: oneLine(task, maxTextLength),
      message: oneLine(message, maxTextLength),
    },
  }
}

function buildWaitUpdate(
  { runId, sequence, timeMs, untilMs, reason }: Extract<RunEvent, { type: 'wait-started' }>,
  { task }: RunSummary,
): RunUpdate {
  return {
    key: `${runId} ${sequence}`,
    type: 'run.waiting',
    timeMs,
    data: {
      ...{ runId, sequence, until: new Date(untilMs).toISOString() },
      task: oneLine(task, maxTextLength),
      message: oneLine(reason, maxTextLength),
    },
  }
}

function findEndType({ outcome, reason }: RunStopped['transition']): RunUpdate['type'] {
  if (outcome === 'verified') return 'run.done'
  if (outcome === 'blocked') return 'run.blocked'
  return reason === 'hard_cap' ? 'run.capped' : 'run.stopped'
}

function buildQuestionUpdate({ id, runId, askedAtMs, subject }: KeptQuestion): RunUpdate {
  const about =
    subject.kind === 'call'
      ? { tool: subject.tool, summary: oneLine(subject.summary, maxTextLength) }
      : { check: subject.check, summary: oneLine(subject.question, maxTextLength) }
  return {
    key: `question ${id}`,
    type: 'approval.requested',
    timeMs: askedAtMs,
    data: { questionId: id, runId, kind: subject.kind, ...about },
  }
}

/** A message to one URL; receivers deduplicate by its id. */
export interface Message {
  readonly id: string
  readonly url: string
  readonly body: string
}

export function buildMessage({ key, type, timeMs, data }: RunUpdate, url: string): Message {
  const body = { type, timestamp: new Date(timeMs).toISOString(), data }
  return { id: `msg_${sha256([key, type, url].join('\n')).slice(0, 32)}`, url, body: JSON.stringify(body) }
}

type ReadStore = Pick<Store, 'changes' | 'summary' | 'readAfter' | 'openQuestions'>

const pageSize = 1000

interface SeenRun {
  readonly sequence: number
  /** A sub-run, reported by its parent. */
  readonly isPart: boolean
}

/** Finds updates since a mark, from any process. An update found twice has the same key. */
export function createUpdateFinder(store: ReadStore, log: (line: string) => void) {
  const seen = new Map<string, SeenRun>()

  async function* findRunUpdates(runId: string): AsyncGenerator<RunUpdate> {
    const summary = await store.summary(runId)
    if (summary === undefined || summary.imported === true) return
    for (;;) {
      const run = seen.get(runId) ?? { sequence: 0, isPart: false }
      const events = await store.readAfter(runId, run.sequence, pageSize)
      let { isPart } = run
      for (const event of events) {
        if (event.type === 'run-started') isPart = event.parent !== undefined
        if (event.type === 'run-stopped' && !isPart) yield buildEndUpdate(event, summary)
        if (event.type === 'wait-started' && event.for === 'limit' && !isPart)
          yield buildWaitUpdate(event, summary)
      }
      seen.set(runId, { sequence: events.at(-1)?.sequence ?? run.sequence, isPart })
      if (events.length < pageSize) return
    }
  }

  return async (mark: number, onUpdate: (update: RunUpdate) => void): Promise<number> => {
    const { latest, runIds } = await store.changes(mark)
    if (latest === mark) return mark
    for (const runId of runIds)
      try {
        for await (const update of findRunUpdates(runId)) onUpdate(update)
      } catch (error) {
        if (!(error instanceof CorruptEventError)) throw error
        log(`webhooks: run ${runId} cannot be read further: ${error.message}`)
      }
    for (const question of await store.openQuestions()) onUpdate(buildQuestionUpdate(question))
    return latest
  }
}
