import { capWords } from '@donecheck/core/budgets'
import type { RunSummary } from '@donecheck/engine/ports/store'
import { oneLine, type Line, type Tone } from '@donecheck/engine/report'

interface Screen {
  /** All ids of the store, so that short ids stay unique. */
  readonly ids: readonly string[]
  readonly nowMs: number
  readonly columns: number | undefined
  readonly waits: ReadonlyMap<string, string>
}

const maxTaskLength = 80
const minTaskLength = 10

export function listLines(
  runs: readonly RunSummary[],
  { ids, nowMs, columns, waits }: Screen,
): readonly Line[] {
  const length = shortIdLength(ids)
  const rows = runs.map((run) => [
    run.runId.slice(0, length),
    ageWords(nowMs - run.updatedAtMs),
    waits.get(run.runId) ?? endWords(run),
  ])
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  const head = widths.reduce((sum, width) => sum + width + 2, 0)
  const room = columns === undefined ? maxTaskLength : Math.max(minTaskLength, columns - head)
  return runs.map((run, index) => {
    const cells = (rows[index] ?? []).map((cell, column) => cell.padEnd(widths[column] ?? 0))
    const labels = run.labels.map((label) => ` [${oneLine(label, maxTaskLength)}]`).join('')
    return { tone: toneOf(run), text: [...cells, oneLine(`${run.task}${labels}`, room)].join('  ') }
  })
}

const minIdLength = 6

/** Shortest unique prefix. */
export function shortIdLength(ids: readonly string[]): number {
  const sorted = ids.toSorted()
  const shared = sorted.map((id, index) => sharedStart(id, sorted[index + 1] ?? ''))
  return Math.max(minIdLength - 1, ...shared) + 1
}

function sharedStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

const units = [
  ['day', 24 * 60 * 60],
  ['h', 60 * 60],
  ['min', 60],
] as const

function ageWords(ms: number): string {
  const total = ms / 1000
  const [name, unitSeconds] = units.find(([, one]) => total >= one) ?? []
  if (name === undefined) return 'just now'
  const count = Math.floor(total / unitSeconds)
  return `${count} ${name}${name === 'day' && count > 1 ? 's' : ''} ago`
}

/** Reasons that say more than the outcome. */
const tellingReasons: readonly string[] = [
  'diminishing',
  'stagnated',
  'awaiting_approval',
  'permission_denied',
]

function endWords({ outcome, reason = '', cap, detector, imported }: RunSummary): string {
  const by = detector ?? (tellingReasons.includes(reason) ? reason : undefined)
  const words = cap === undefined ? by?.replaceAll('_', ' ') : capWords(cap)
  const why = words === undefined ? '' : `: ${oneLine(words, 40)}`
  const end = outcome === undefined ? 'not ended' : `${outcome}${why}`
  return imported === true ? `imported: ${end}` : end
}

function toneOf({ outcome }: RunSummary): Tone {
  if (outcome === undefined) return 'plain'
  if (outcome === 'verified') return 'good'
  return outcome === 'failed' || outcome === 'error' ? 'bad' : 'warning'
}
