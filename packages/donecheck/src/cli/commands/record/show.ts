import { UsageError, type CorruptEventError, given } from '@donecheck/engine/internal/base'
import { fold, evolve, type RunState } from '@donecheck/core/internal/state'
import {
  finalLine,
  timeline,
  traceLines,
  waitText,
  explainRun,
  type Explanation,
} from '@donecheck/engine/display'
import { faultExitCode, interruptedExitCode, writeText } from '../../process/failure.ts'
import { findRun, configFromRecipe } from '../../settings/recipe.ts'
import { type CliIo, knownColumns } from '../../process/io.ts'
import { withRun, withStore } from '../../settings/settings.ts'
import { paintLines, columnsOf, print, quoteWord } from '../../output/wrap.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { checksOnly } from '@donecheck/core/internal/events/settings'
import { exitCodeOfStop } from '@donecheck/core/internal/decide/stops'
import type { Store, RunSummary } from '@donecheck/engine/internal/ports/store'
import { type Output, textOutput } from '../../output/text-output.ts'
import { listenForInterrupts } from '../../process/signals.ts'
import { plural, oneLine, type Line, type Tone, line } from '@donecheck/core/internal/base'
import { outcomes } from '@donecheck/core/internal/events/transitions'
import { capWords } from '@donecheck/core/internal/budgets'
import type { RunEvent } from '@donecheck/core/internal/events'
import { explanationLines, widestExplanation, labelLines, reasonLines } from '../../reasons/reasons-text.ts'
import { endLabels, findReason, labelTables } from '../../reasons/own-labels.ts'
import type { StoreFlags, Flags } from '../../options/flags.ts'

type ShowFlags = StoreFlags & Flags<'html', 'trace' | 'changes'>

export async function showCommand(
  wanted: string,
  { changes = false, html, ...flags }: ShowFlags,
  io: CliIo,
): Promise<number> {
  if (changes) return (await import('./changes.ts')).changesCommand(wanted, flags, io)
  if (html !== undefined) return writeReportPage(wanted, html, flags, io)
  if (flags.json === true) {
    if (flags.trace === true) throw new UsageError('Choose --json or --trace, not both')
    return printEvents(wanted, flags, io)
  }
  const { events, problem, imported } = await readRecord(wanted, flags, io)
  if (imported === true)
    io.stdout.write('imported from a file: nothing of what it says was observed by this donecheck\n')
  const lines = flags.trace === true ? traceLines(events) : timeline(events)
  if (lines.length > 0) io.stdout.write(`${paintLines(lines, io)}\n`)
  if (problem !== undefined) io.stdout.write(`${endOfReadable(problem)}\n`)
  if (flags.trace === true) return 0
  const state = fold(events)
  if (problem === undefined && state !== undefined && state.phase.kind !== 'stopped')
    io.stdout.write(`${finalLine(state)}; "donecheck resume ${state.runId}" goes on with it if nobody does\n`)
  return 0
}

/** Exits with a fault code if an event cannot be read. */
async function printEvents(wanted: string, flags: StoreFlags, io: CliIo): Promise<number> {
  const { events, problem } = await readRecord(wanted, flags, io)
  for (const event of events) io.stdout.write(`${JSON.stringify(event)}\n`)
  if (problem === undefined) return 0
  io.stderr.write(`${endOfReadable(problem)}\n`)
  return faultExitCode
}

function endOfReadable({ message, runId }: CorruptEventError): string {
  return `${message}; this is all before it. "donecheck resume ${runId} --repair" puts the rest aside, so that the run can go on`
}

async function readRecord(wanted: string, flags: StoreFlags, io: CliIo) {
  return withRun(wanted, flags, io, async ({ runId, imported }, store) => ({
    ...(await store.readAsFar(runId)),
    imported,
  }))
}

const refreshMs = 500
const eventsAtOnce = 1000

/** Exits like the run; Ctrl-C ends only the watching. */
export async function watchCommand(
  wanted: string | undefined,
  flags: StoreFlags,
  io: CliIo,
): Promise<number> {
  return withStore(flags, io, async (store) => {
    const runId = wanted === undefined ? await runGoingOn(store) : await findRun(store, wanted)
    const output = textOutput(io, { isWatched: true })
    const interrupts = listenForInterrupts(
      () => undefined,
      () => process.exit(interruptedExitCode),
    )
    const { signal } = interrupts
    const wait = () =>
      pause(refreshMs, undefined, { signal }).then(
        () => true,
        () => false,
      )
    try {
      return await followRun(runId, store, output, wait)
    } finally {
      output.close()
      interrupts.dispose()
    }
  })
}

async function runGoingOn(store: Store): Promise<string> {
  const runs = await store.list()
  const latest = runs.find(({ outcome, agent }) => outcome === undefined && agent !== checksOnly)
  if (latest === undefined)
    throw new UsageError(`no run is going on in ${store.place}; "donecheck show last" tells of the latest`)
  return latest.runId
}

/** @param wait resolves to false to stop @throws {CorruptEventError} for a damaged record */
export async function followRun(
  runId: string,
  store: Pick<Store, 'readAfter'>,
  output: Pick<Output, 'event'>,
  wait: () => Promise<boolean>,
): Promise<number> {
  let state: RunState | undefined
  let hasMore: boolean
  do {
    const events = await store.readAfter(runId, state?.sequence ?? 0, eventsAtOnce)
    for (const event of events) {
      state = evolve(state, event)
      output.event(event, state)
    }
    hasMore = events.length === eventsAtOnce
    if (!hasMore && state?.phase.kind === 'stopped') return exitCodeOfStop(state.phase.transition)
  } while (hasMore || (await wait()))
  return interruptedExitCode
}

type ListFlags = StoreFlags & Flags<'outcome', 'all' | 'sessions', 'tag'> & { readonly limit?: number }

const usualLimit = 20

/** JSON contains all matching runs; text the latest ones, with a note about the rest. */
export async function listCommand(
  { tag: tags = [], outcome, sessions = false, ...flags }: ListFlags,
  io: CliIo,
): Promise<number> {
  if (sessions) return (await import('../hooks/status.ts')).statusCommand(flags, io)
  if (outcome !== undefined && outcomes.every((known) => known !== outcome))
    throw new UsageError(`--outcome ${outcome}: no run ends so; the outcomes are ${outcomes.join(', ')}`)
  return withStore(flags, io, async (store) => {
    const stored = await store.list()
    const wanted = stored.filter(
      (run) =>
        tags.every((name) => run.tags.includes(name)) && (outcome === undefined || run.outcome === outcome),
    )
    if (flags.json === true) {
      const runs = wanted.slice(0, flags.limit)
      const waits = await findWaits(runs, store)
      const withWaits = runs.map((run) => ({ ...run, ...given({ waiting: waits.get(run.runId) }) }))
      return print(io, true, withWaits, () => [])
    }
    const isListed = (run: RunSummary) => flags.all === true || run.agent !== checksOnly
    const listed = wanted.filter(isListed)
    const shown = listed.slice(0, flags.limit ?? usualLimit)
    const lines = listLines(shown, {
      ids: stored.map(({ runId }) => runId),
      nowMs: Date.now(),
      columns: io.stdout.isTTY ? columnsOf(io.stdout) : undefined,
      waits: await findWaits(shown, store),
    })
    const left = [
      ...notShown(listed.length - shown.length, 'older run', '--limit'),
      ...notShown(wanted.length - listed.length, '`verify` run', '--all'),
    ]
    const head = shown.length === 0 ? [`no runs in ${store.place}`] : []
    const words = [...head, ...left].map((text) => line('quiet', text))
    io.stdout.write(`${paintLines([...lines, ...words], io)}\n`)
    return 0
  })
}

async function findWaits(
  runs: readonly RunSummary[],
  store: Pick<Store, 'readAfter'>,
): Promise<ReadonlyMap<string, string>> {
  const waits = new Map<string, string>()
  for (const { runId, outcome, events } of runs) {
    const [latest] = outcome === undefined ? await store.readAfter(runId, events - 1, 1) : []
    if (latest?.type === 'wait-started') waits.set(runId, waitText(latest))
  }
  return waits
}

function notShown(count: number, noun: string, flag: string): readonly string[] {
  return count === 0 ? [] : [`${plural(count, noun)} not shown (${flag})`]
}

async function writeReportPage(wanted: string, file: string, flags: StoreFlags, io: CliIo): Promise<number> {
  return withRun(wanted, flags, io, async (run, store) => {
    const [explanation, events, kept] = await Promise.all([
      explainRecord(run.runId, store),
      store.read(run.runId),
      store.attachmentsOf(run.runId),
    ])
    const attachments = Object.fromEntries(kept.map(({ digest, content }) => [digest, content]))
    const { reportPage } = await import('@donecheck/server')
    writeText(file, reportPage({ run, explanation, events, attachments }), io)
    io.stdout.write(`wrote ${file}\n`)
    return 0
  })
}

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
    const tags = run.tags.map((tag) => ` [${oneLine(tag, maxTaskLength)}]`).join('')
    return line(toneOf(run), [...cells, oneLine(`${run.task}${tags}`, room)].join('  '))
  })
}

const minIdLength = 6

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

export async function explainCommand(
  wanted: string | undefined,
  flags: StoreFlags,
  io: CliIo,
): Promise<number> {
  const width = Math.min(knownColumns(io.stdout, 100), widest)
  if (wanted === undefined) return print(io, flags.json, allReasonsJson(), () => labelLines(width))
  const reason = findReason(wanted)
  if (reason !== undefined)
    return print(io, flags.json, { ...reason, ...reason.end, end: undefined }, () =>
      reasonLines(reason, width),
    )
  return withStore(flags, io, async (store) => {
    const explanation = await explainRecord(wanted, store)
    return print(io, flags.json, explanation, () =>
      explanationLines(explanation, knownColumns(io.stdout, widestExplanation)),
    )
  })
}

/** @param name what the user typed, repeated in the suggested commands */
export async function explainRecord(name: string, store: Store): Promise<Explanation> {
  const runId = await findRun(store, name)
  const events = await store.read(runId)
  const state = fold(events)
  if (state === undefined) throw new UsageError(`run ${runId} has no beginning`)
  const again = typedAgain(events)
  const isSession = (await store.hostSessions()).some((session) => session.runId === runId)
  return explainRun(state, { name, isSession, ...given({ again }) })
}

/** Suggests a command that runs the same checks. */
function typedAgain([first]: readonly RunEvent[]): string | undefined {
  if (first?.type !== 'run-started') return undefined
  try {
    const { until = [], presets = [] } = configFromRecipe(first.recipe, '')
    const words = [
      ...until.flatMap(({ command }) => ['--until', quoteWord(command)]),
      ...presets.flatMap((preset) => ['--preset', preset]),
    ]
    return ['donecheck verify', ...words].join(' ')
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

const widest = 110

function allReasonsJson(): object {
  const [caps, detectors, turns, refusals] = (['cap', 'detector', 'turn', 'refusal'] as const).map((kind) =>
    Object.entries(labelTables[kind]).map(([name, meaning]) => ({ name, meaning })),
  )
  return { ends: endLabels, caps, detectors, turns, refusals }
}
