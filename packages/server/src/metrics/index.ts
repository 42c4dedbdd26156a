import { type RunRow, knownRuns, runRow } from '@donecheck/engine/internal/insight/insights'
import { donecheckVersion } from '@donecheck/engine/internal/base'
import type { Store } from '@donecheck/engine/internal/ports/store'

type Labels = Readonly<Record<string, string>>

interface Sample {
  readonly labels?: Labels
  readonly value: number
  readonly suffix?: string
}

export interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: readonly Sample[]
}

export function formatExposition(families: readonly Family[]): string {
  return families
    .map(({ name, type, help, samples }) =>
      [
        `# HELP ${name} ${help.replace(/[\\\n]/g, escapeCharacter)}\n`,
        `# TYPE ${name} ${type}\n`,
        ...samples.map(
          ({ labels, value, suffix = '' }) =>
            `${name}${suffix}${formatLabels(labels)} ${formatNumber(value)}\n`,
        ),
      ].join(''),
    )
    .join('')
}

function formatLabels(labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\\n"]/g, escapeCharacter)}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeCharacter(character: string): string {
  return character === '\n' ? String.raw`\n` : `\\${character}`
}

function formatNumber(value: number): string {
  if (value === Infinity) return '+Inf'
  return value === -Infinity ? '-Inf' : String(value)
}

class Counts {
  readonly #sums = new Map<string, { readonly labels: Labels; value: number }>()

  add(labels: Labels, value = 1): void {
    const key = JSON.stringify(labels)
    const sum = this.#sums.get(key) ?? { labels, value: 0 }
    this.#sums.set(key, sum)
    sum.value += value
  }

  family(name: string, help: string): Family {
    return { name, help, type: 'counter', samples: [...this.#sums.values()].map((sum) => ({ ...sum })) }
  }
}

/** A histogram: counts of values up to each limit, and the sum of all values. */
export class Distribution {
  readonly #limits: readonly number[]
  readonly #atMost: number[]
  #count = 0
  #sum = 0

  constructor(limits: readonly number[]) {
    this.#limits = limits
    this.#atMost = limits.map(() => 0)
  }

  add(value: number): void {
    this.#limits.forEach((limit, index) => {
      if (value <= limit) this.#atMost[index] = (this.#atMost[index] ?? 0) + 1
    })
    this.#count += 1
    this.#sum += value
  }

  family(name: string, help: string): Family {
    const buckets = this.#limits.map((limit, index) => ({
      le: String(limit),
      value: this.#atMost[index] ?? 0,
    }))
    return {
      ...{ name, help, type: 'histogram' },
      samples: [
        ...[...buckets, { le: '+Inf', value: this.#count }].map(({ le, value }) => ({
          ...{ suffix: '_bucket', labels: { le }, value },
        })),
        { suffix: '_sum', value: this.#sum },
        { suffix: '_count', value: this.#count },
      ],
    }
  }
}

type Figures = Pick<
  RunRow,
  'activeMs' | 'costUsd' | 'turns' | 'inputTokens' | 'cachedInputTokens' | 'outputTokens'
>

/** Totals over runs. Every stop counts; a resumed run adds only its usage since the last. */
class RunTotals {
  readonly #ends = new Counts()
  readonly #tokens = new Counts()
  readonly #seconds = new Distribution([1, 5, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400])
  readonly #dollars = new Distribution([0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100])
  readonly #turns = new Distribution([1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144])
  readonly #counted = new Map<string, Figures>()
  readonly #open = new Set<string>()

  /** Sub-runs count as part of their parent. */
  add(row: RunRow): void {
    if (row.isPart) return
    const { runId, reason, outcome, cap, detector } = row
    if (reason === null || outcome === null) this.markOpen(runId)
    else this.#end(runId, row, { reason, outcome, cap: cap ?? '', detector: detector ?? '' })
  }

  markOpen(runId: string): void {
    this.#open.add(runId)
  }

  #end(runId: string, figures: Figures, how: Labels): void {
    const { activeMs, costUsd, turns, inputTokens, cachedInputTokens, outputTokens } = figures
    this.#open.delete(runId)
    const before = this.#counted.get(runId)
    if (before?.activeMs === activeMs && before.turns === turns) return
    const since = (name: keyof Figures) => Math.max(0, (figures[name] ?? 0) - (before?.[name] ?? 0))
    this.#ends.add(how)
    this.#seconds.add(since('activeMs') / 1000)
    this.#turns.add(since('turns'))
    if (costUsd !== null) this.#dollars.add(since('costUsd'))
    this.#tokens.add({ type: 'input' }, since('inputTokens'))
    this.#tokens.add({ type: 'cached_input' }, since('cachedInputTokens'))
    this.#tokens.add({ type: 'output' }, since('outputTokens'))
    this.#counted.set(runId, { activeMs, costUsd, turns, inputTokens, cachedInputTokens, outputTokens })
  }

  families(): readonly Family[] {
    return [
      this.#ends.family('donecheck_runs_total', 'Stopped runs; a resumed run counts once per stop.'),
      this.#tokens.family('donecheck_tokens_total', 'Tokens of stopped runs; input includes cached input.'),
      this.#seconds.family('donecheck_run_duration_seconds', 'Active time of stopped runs.'),
      this.#dollars.family('donecheck_run_cost_usd', 'Cost of stopped runs with a known price.'),
      this.#turns.family('donecheck_run_turns', 'Turns of stopped runs.'),
      {
        ...{ name: 'donecheck_runs_open', type: 'gauge', help: 'Runs that are active.' },
        samples: [{ value: this.#open.size }],
      },
    ]
  }
}

type MetricStore = Pick<
  Store,
  'changes' | 'summary' | 'openQuestions' | 'readAsFar' | 'runRows' | 'keepRunRows'
>

/** Renders `/metrics`. Reads all runs once, then only changed ones. Skips imported runs. */
export function storeMetrics(store: MetricStore): () => Promise<string> {
  const totals = new RunTotals()
  let mark = 0
  let last: Promise<unknown> = Promise.resolve()

  async function addAll(): Promise<void> {
    const { rows, imported } = await knownRuns(store)
    const importedIds = new Set(imported)
    for (const row of rows) if (!importedIds.has(row.runId)) totals.add(row)
  }

  /** Active runs are counted when they stop. */
  async function addOne(runId: string): Promise<void> {
    const summary = await store.summary(runId)
    if (summary === undefined || summary.imported === true) return
    const row = summary.outcome === undefined ? undefined : runRow((await store.readAsFar(runId)).events)
    if (row === undefined) totals.markOpen(runId)
    else totals.add(row)
  }

  async function render(): Promise<string> {
    const { latest, runIds } = await store.changes(mark)
    if (mark === 0) await addAll()
    else for (const runId of runIds) await addOne(runId)
    mark = latest
    const questions = await store.openQuestions()
    return formatExposition([...totals.families(), ...buildProcessFamilies(questions.length)])
  }

  // Serialized, because concurrent reads would count the same stop twice.
  return () => {
    const next = last.then(render)
    last = next.catch(() => undefined)
    return next
  }
}

/** Builds current values, named as in other Prometheus clients. */
function buildProcessFamilies(openQuestions: number): readonly Family[] {
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
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
    gauge('donecheck_questions_open', 'Questions waiting for an answer.', openQuestions),
    gauge('donecheck_build_info', 'Always 1; the version is a label.', 1, { version: donecheckVersion }),
  ]
}

function startedAtSeconds(): number {
  return Math.round(Date.now() / 1000 - process.uptime())
}

function gauge(name: string, help: string, value: number, labels: Labels = {}): Family {
  return { name, help, type: 'gauge', samples: [{ labels, value }] }
}
