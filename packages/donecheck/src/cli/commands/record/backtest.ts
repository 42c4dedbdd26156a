import {
  Backtest,
  type StopPolicy,
  type BacktestReport,
  type PolicyReport,
  type RunCounts,
  type Saving,
} from '@donecheck/engine/internal/insight/backtest'
import { UsageError, given, messageOf } from '@donecheck/engine/internal/base'
import type { CliIo } from '../../process/io.ts'
import { resolveSettings, withStore } from '../../settings/settings.ts'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { bounds, capTable, costOf } from '@donecheck/core/internal/budgets'
import { capsOf, softSettingsOf } from '@donecheck/engine/internal/loop/compose'
import { scriptedAgent } from '@donecheck/engine/internal/loop/agents'
import { parseConfig, type Config } from '../../../config/index.ts'
import { print, tableText } from '../../output/wrap.ts'
import { orUsageError } from '../../process/failure.ts'
import { softVerifiersOf, hardCapOf } from '../../wiring/judging/judging-options.ts'
import {
  filesOf,
  readRuns,
  runOfEvents,
  type RecordedRun,
} from '@donecheck/engine/internal/insight/recordings'
import { plural, thousands } from '@donecheck/core/internal/base'
import type { StoreFlags, Flags } from '../../options/flags.ts'

type BacktestFlags = RecordingFlags & Flags<'config', 'sets', 'variant'>

export async function backtestCommand(
  files: readonly string[],
  { variant: typed = [], sets = false, json = false, runs, withoutLabel, ...flags }: BacktestFlags,
  io: CliIo,
): Promise<number> {
  const { config } = await resolveSettings(flags, io)
  const named = typed.map((each) => typedPolicy(each, config, io.currentFolder))
  const twice = named.find(
    ({ name }, place) => name === currentName || named.findIndex((other) => other.name === name) < place,
  )
  if (twice !== undefined)
    throw new UsageError(`a variant is called "${twice.name}" already: every one needs a name of its own`)
  const backtest = new Backtest([policyOf(currentName, config), ...named])
  const choice = {
    ...flags,
    ...(runs && { runs }),
    ...(withoutLabel && { withoutLabel }),
  }
  const problems = await eachRecording(files, choice, config, io, (run) => {
    backtest.add(run)
  })
  const report = backtest.report()
  for (const problem of problems) io.stderr.write(`${problem}\n`)
  return print(io, json, { ...report, problems }, () => reportText(report, sets))
}

const currentName = 'current'

const policyKeys: readonly string[] = [
  ...bounds.map((bound) => capTable[bound].key),
  'loopDetection',
  'stagnation',
  'tokenBudget',
]

/** @param typed `NAME=JSON`, a JSON file, or `key=value,…` with dotted keys @throws {UsageError} */
export function typedPolicy(typed: string, current: Config, folder: string): StopPolicy {
  const [, name = '', settings = ''] = /^([^={]+)=(.+)$/s.exec(typed) ?? []
  if (name === '')
    throw new UsageError(`--variant "${typed}" is not of the form NAME=SETTINGS, such as short=maxTurns=20`)
  return policyOf(name, current, readSettings(settings, folder, `variant "${name}"`))
}

function readSettings(settings: string, folder: string, source: string): unknown {
  const file = resolve(folder, settings)
  if (settings.startsWith('{')) return jsonOf(settings, source)
  if (existsSync(file)) return jsonOf(readFileSync(file, 'utf8'), settings)
  if (!settings.includes('='))
    throw new UsageError(`${source}: there is no file ${file}, and "${settings}" is no key=value`)
  return nested(settings.split(',').map((pair) => pairOf(pair, source)))
}

function jsonOf(text: string, source: string): unknown {
  return orUsageError<unknown>(
    () => JSON.parse(text),
    (error) => `${source} is not JSON: ${messageOf(error)}`,
  )
}

type Pair = readonly [key: string, value: unknown]

function pairOf(pair: string, source: string): Pair {
  const [, key, value] = /^([^=]+)=(.+)$/s.exec(pair.trim()) ?? []
  if (key === undefined || value === undefined) throw new UsageError(`${source}: "${pair}" is not key=value`)
  const isPlain = /^(?:null|true|false|-?\d+(?:\.\d+)?)$/.test(value)
  return [key, isPlain ? JSON.parse(value) : value]
}

function nested(pairs: readonly Pair[]): Readonly<Record<string, unknown>> {
  const whole: Record<string, unknown> = {}
  for (const [key, value] of pairs) {
    const [outer = '', ...inner] = key.split('.')
    const before = whole[outer]
    whole[outer] =
      inner.length === 0 ? value : { ...(isGroup(before) ? before : {}), [inner.join('.')]: value }
  }
  return whole
}

export function policyOf(name: string, current: Config, settings: unknown = {}): StopPolicy {
  const config = settingsOver(current, settings, `variant "${name}"`)
  // A record does not contain the context window, so the default token cap would be a guess.
  const isGuess = config.maxTokens === undefined && config.contextWindowTokens === undefined
  const agent = scriptedAgent([], { description: windowOf(config) }).description
  const caps = { ...capsOf(hardCapOf(config), agent), ...(isGuess ? { maxTokens: null } : {}) }
  return { name, caps, soft: softSettingsOf(softVerifiersOf(config), caps, agent) }
}

function windowOf({ contextWindowTokens, agent }: Config) {
  return {
    ...given({ contextWindowTokens }),
    ...(agent === undefined ? {} : { ownsTools: true as const }),
  }
}

/** Merges groups of settings key by key. */
export function settingsOver(current: Config, settings: unknown, source: string): Config {
  const typed: unknown = parseConfig(settings, source)
  if (!isGroup(typed)) return current
  const stranger = Object.keys(typed).find((key) => !policyKeys.includes(key))
  if (stranger !== undefined)
    throw new UsageError(
      `${source}: ${stranger} is no part of a stop policy; those are ${policyKeys.join(', ')}`,
    )
  const merged = Object.entries(typed).map(([key, value]) => {
    const before = groupOf(Reflect.get(current, key))
    return [key, isGroup(value) ? { ...before, ...value } : value]
  })
  return parseConfig({ ...current, ...Object.fromEntries(merged) }, source)
}

/** A mode is short for a group with only that mode. */
function groupOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isGroup(value)) return value
  return typeof value === 'string' ? { mode: value } : {}
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type RecordingFlags = StoreFlags & Flags<never, 'runs', 'withoutLabel'>

/** @param files empty for the project's runs @returns problems @throws {UsageError} if no run is left */
async function eachRecording(
  files: readonly string[],
  flags: RecordingFlags,
  config: Config,
  io: CliIo,
  take: (run: RecordedRun) => void,
): Promise<readonly string[]> {
  const problems: string[] = []
  let count = 0
  const offer = (run: RecordedRun) => {
    if (flags.withoutLabel?.some((label) => run.outcome.labels?.includes(label))) return
    count += 1
    take(withCosts(run, config))
  }
  const paths = await pathsOf(files, io)
  for await (const run of readRuns(paths, (problem) => problems.push(problem))) offer(run)
  if (files.length === 0 || flags.runs === true) await ownRuns(flags, io, offer, problems)
  if (count > 0) return problems
  const where =
    files.length === 0 ? 'this project has no recorded runs with a turn' : 'no run is left to be replayed'
  throw new UsageError([`${where}; name files or folders of recorded runs`, ...problems].join('\n'))
}

async function pathsOf(files: readonly string[], { currentFolder }: CliIo): Promise<readonly string[]> {
  const all: string[] = []
  for (const file of files) {
    const path = resolve(currentFolder, file)
    const kind = statSync(path, { throwIfNoEntry: false })
    if (kind === undefined) throw new UsageError(`there is no file or folder ${path}`)
    all.push(...(kind.isDirectory() ? ((await filesOf(path)) ?? []) : [path]))
  }
  return all
}

async function ownRuns(
  flags: StoreFlags,
  io: CliIo,
  offer: (run: RecordedRun) => void,
  problems: string[],
): Promise<void> {
  await withStore(flags, io, async (store) => {
    for (const { runId } of await store.list()) {
      try {
        const run = runOfEvents(await store.read(runId), 'runs of this project')
        if (run !== undefined) offer(run)
      } catch (error) {
        problems.push(`run ${runId} cannot be read: ${messageOf(error)}`)
      }
    }
  })
}

/** Uses configured prices if the record has none. */
function withCosts(run: RecordedRun, { prices = {} }: Config): RecordedRun {
  const price = run.model === null ? undefined : prices[run.model]
  if (price === undefined || run.costUsd != null) return run
  const turns = run.turns.map((turn) => {
    const { in: inputTokens, out: outputTokens } = turn.tokens ?? {}
    if (turn.costUsd != null || inputTokens == null || outputTokens == null) return turn
    return { ...turn, costUsd: costOf({ inputTokens, outputTokens }, price) }
  })
  return { ...run, turns }
}

type Policies = readonly PolicyReport[]

export function reportText(report: BacktestReport, withSets: boolean): string {
  const { counts, policies, sets } = report
  const parts = withSets
    ? Object.entries(sets).map(([name, set]) => `${name}: ${partText(set.counts, set.policies)}`)
    : []
  return [partText(counts, policies), ...parts, notes(report).join('\n')].join('\n\n')
}

function partText(counts: RunCounts, policies: Policies): string {
  return `${countsLine(counts)}\n\n${tableText(rowsOf(policies))}`
}

function countsLine({ runs, resolved, unresolved, unknown, calls }: RunCounts): string {
  return `${plural(runs, 'run')} on record: ${resolved} reached their goal, ${unresolved} did not, of ${unknown} nobody knows; ${plural(calls, 'call')}.`
}

function rowsOf(policies: Policies): readonly (readonly string[])[] {
  const row = (title: string, cell: (policy: PolicyReport) => string) => [title, ...policies.map(cell)]
  const rules = [...new Set(policies.flatMap(({ endsByRule }) => Object.keys(endsByRule)))].sort()
  return [
    row('', ({ name }) => name),
    row('reached the goal, and would be lost', lostCell),
    row('did not, and would be ended', ({ ended, unresolved }) => `${ended} of ${unresolved}`),
    row('  after calls (median)', ({ callsUntilEnd }) =>
      callsUntilEnd === undefined ? '-' : String(callsUntilEnd),
    ),
    row('  turns saved', ({ turns }) => savingCell(turns, thousands)),
    row('  calls saved', ({ calls }) => savingCell(calls, thousands)),
    row('  tokens saved', ({ tokens }) => savingCell(tokens, thousands)),
    row('  dollars saved', ({ dollars }) => savingCell(dollars, (amount) => amount.toFixed(2))),
    row('told, per 1,000 calls', (policy) => policy.warningsPerThousandCalls?.toFixed(2) ?? '-'),
    row('refused, per 1,000 calls', (policy) => policy.refusalsPerThousandCalls?.toFixed(2) ?? '-'),
    row('unknown after the end of the record', ({ unknownAfterEnd }) => String(unknownAfterEnd)),
    ...rules.map((rule) => row(`ended by ${rule}`, ({ endsByRule }) => String(endsByRule[rule] ?? 0))),
  ]
}

function lostCell({ lost, resolved, killedInterval }: PolicyReport): string {
  return resolved === 0
    ? '-'
    : `${lost.length} of ${resolved} (${percent(killedInterval.low)}–${percent(killedInterval.high)} %)`
}

function savingCell({ saved, share }: Saving, amountText: (amount: number) => string): string {
  return share === undefined ? '-' : `${amountText(saved)} = ${percent(share)} %`
}

export function percent(share: number): string {
  return (100 * share).toFixed(1)
}

const mostLost = 5

function notes({ counts, policies }: BacktestReport): readonly string[] {
  return [
    'In brackets: 95 % intervals. Saved: of the runs that did not reach their goal.',
    ...(counts.cut > 0
      ? [
          `${plural(counts.cut, 'record')} ended at a bound: what comes after the end of a record, nobody knows, so a policy that lets such a run go on can only be said to end it no sooner.`,
        ]
      : []),
    ...(counts.oracleStopped > 0
      ? [
          `${plural(counts.oracleStopped, 'run')} had the label oracle-stop: ended at the goal by what knew it. --without-label oracle-stop leaves them out.`,
        ]
      : []),
    ...policies.flatMap(policyNotes),
  ]
}

function policyNotes({ name, lost, unheld, ignored }: PolicyReport): readonly string[] {
  const caps = Object.entries(unheld).map(([cap, runs]) => `${cap} in ${plural(runs, 'run')}`)
  return [
    ...(caps.length === 0
      ? []
      : [`${name}: the record does not tell what was used of ${caps.join(', ')}: not held there.`]),
    ...(ignored.length === 0 ? [] : [`${name}: no record can be held to ${ignored.join(', ')}.`]),
    ...lost
      .slice(0, mostLost)
      .map(
        ({ id, rule, callsRun, calls }) =>
          `${name}: loses ${id} by ${rule} after ${callsRun} of ${calls} calls`,
      ),
    ...(lost.length > mostLost ? [`${name}: and ${lost.length - mostLost} more, which --json lists`] : []),
  ]
}
