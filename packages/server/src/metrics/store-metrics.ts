import { expositionText, type Family, type Labels } from './exposition.ts'
import { RunTotals } from './run-totals.ts'
import { donecheckVersion } from '@donecheck/engine/base'
import { knownRuns, runRow } from '@donecheck/engine/insights'
import type { Store } from '@donecheck/engine/ports/store'

type MetricStore = Pick<
  Store,
  'changes' | 'summary' | 'openQuestions' | 'readAsFar' | 'runRows' | 'keepRunRows'
>

/**
 * What `/metrics` answers for the runs of a store. All of them are read for the first answer; for a later one those alone that have
 * changed. Runs that were recorded elsewhere are left out.
 */
export function storeMetrics(store: MetricStore): () => Promise<string> {
  const totals = new RunTotals()
  let mark = 0
  let last: Promise<unknown> = Promise.resolve()

  async function addAll(): Promise<void> {
    const { rows, imported } = await knownRuns(store)
    const elsewhere = new Set(imported)
    for (const row of rows) if (!elsewhere.has(row.runId)) totals.add(row)
  }

  /** A run that goes on is not read: it is counted when it ends. */
  async function addOne(runId: string): Promise<void> {
    const summary = await store.summary(runId)
    if (summary === undefined || summary.imported === true) return
    const row = summary.outcome === undefined ? undefined : runRow((await store.readAsFar(runId)).events)
    if (row === undefined) totals.goesOn(runId)
    else totals.add(row)
  }

  async function look(): Promise<string> {
    const { latest, runIds } = await store.changes(mark)
    if (mark === 0) await addAll()
    else for (const runId of runIds) await addOne(runId)
    mark = latest
    const questions = await store.openQuestions()
    return expositionText([...totals.families(), ...momentFamilies(questions.length)])
  }

  // One after the other: two at once would count the same end twice.
  return () => {
    const next = last.then(look)
    last = next.catch(() => undefined)
    return next
  }
}

/** How things are at this moment. The first names are those that every Prometheus client has. */
function momentFamilies(openQuestions: number): readonly Family[] {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return [
    gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', rss),
    gauge(
      'process_start_time_seconds',
      'Start time of the process since the Unix epoch.',
      startedAtSeconds(),
    ),
    {
      ...gauge(
        'process_cpu_seconds_total',
        'User and system CPU time spent in seconds.',
        (user + system) / 1e6,
      ),
      type: 'counter',
    },
    gauge('nodejs_heap_size_used_bytes', 'Heap that is in use.', heapUsed),
    gauge('donecheck_questions_open', 'Questions that wait for an answer.', openQuestions),
    gauge('donecheck_build_info', 'Always 1; the version is a label.', 1, { version: donecheckVersion }),
  ]
}

function startedAtSeconds(): number {
  return Math.round(Date.now() / 1000 - process.uptime())
}

function gauge(name: string, help: string, value: number, labels: Labels = {}): Family {
  return { name, help, type: 'gauge', samples: [{ labels, value }] }
}
