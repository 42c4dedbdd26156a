import { endNews, questionNews, type News } from './message.ts'
import { CorruptEventError } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'

type ReadStore = Pick<Store, 'changes' | 'summary' | 'readAfter' | 'openQuestions'>

/** Events that are read at once. */
const pageSize = 1000

interface SeenRun {
  readonly sequence: number
  /** It does a part of another run, which tells of it. */
  readonly isPart: boolean
}

/**
 * What has happened in the store since a mark, whichever process did it. After a start the same may be found again: its key is the
 * same.
 */
export function newsFinder(store: ReadStore, log: (line: string) => void) {
  const seen = new Map<string, SeenRun>()

  async function* newsOfRun(runId: string): AsyncGenerator<News> {
    const summary = await store.summary(runId)
    if (summary === undefined || summary.imported === true) return
    for (;;) {
      const run = seen.get(runId) ?? { sequence: 0, isPart: false }
      const events = await store.readAfter(runId, run.sequence, pageSize)
      let { isPart } = run
      for (const event of events) {
        if (event.type === 'run-started') isPart = event.parent !== undefined
        if (event.type === 'run-stopped' && !isPart) yield endNews(event, summary)
      }
      seen.set(runId, { sequence: events.at(-1)?.sequence ?? run.sequence, isPart })
      if (events.length < pageSize) return
    }
  }

  /** @param tell is called for each, before the new mark is given back */
  return async (mark: number, tell: (news: News) => void): Promise<number> => {
    const { latest, runIds } = await store.changes(mark)
    if (latest === mark) return mark
    for (const runId of runIds)
      try {
        for await (const news of newsOfRun(runId)) tell(news)
      } catch (error) {
        if (!(error instanceof CorruptEventError)) throw error
        log(`webhooks: run ${runId} cannot be read further: ${error.message}`)
      }
    for (const question of await store.openQuestions()) tell(questionNews(question))
    return latest
  }
}
