import {
  dimensions,
  insightsOf,
  type Dimension,
  dollars,
  figure,
  percent,
  rateWords,
  whole,
  type Figures,
  type Group,
  type Insights,
  type Named,
  knownRuns,
  sinceOf,
  type KnownRuns,
  type RunRow,
} from '@donecheck/engine/insights'
import type { CliIo } from '../../process/io.ts'
import { harmless, plural, oneLine } from '@donecheck/core/base'
import { realPath } from '@donecheck/engine/base'
import { resolve } from 'node:path'
import type { StoreFlags } from '../../options/flags.ts'
import { withStore } from '../../settings/settings.ts'

interface InsightsFlags extends QuestionFlags {
  readonly by?: string
}

/** What the runs on record say together, on the terminal or as JSON. */
export async function insightsCommand(flags: InsightsFlags, io: CliIo): Promise<number> {
  const { by, json, ...asked } = flags
  const { rows, scope } = await runsInQuestion(asked, io, Date.now())
  const insights = insightsOf(rows)
  if (json === true) io.stdout.write(`${JSON.stringify({ scope, ...insights })}\n`)
  else {
    const shown = dimensions.find((one) => one === by) ?? 'model'
    io.stdout.write(insightsText(insights, { scope, by: shown, isUnicode: isUnicode(io) }))
  }
  return 0
}

/** As the locale says it. */
function isUnicode({ environment }: CliIo): boolean {
  const locale = [environment['LC_ALL'], environment['LC_CTYPE'], environment['LANG']].find((one) => one)
  return /utf-?8/i.test(locale ?? '')
}

interface TextChoices {
  readonly scope: readonly string[]
  readonly by: Dimension
  /** Bars of blocks; otherwise of number signs. */
  readonly isUnicode: boolean
}

const barLength = 24
/** Lines of a list; the whole is in the JSON. */
const maxRows = 12

function insightsText({ total, by, activity, top }: Insights, choices: TextChoices): string {
  const head = choices.scope.join('\n')
  if (total === null) return `${harmless(head)}\n`
  const bar = barOf(choices.isUnicode)
  const parts = [
    head,
    overview(total),
    section('Ends', chart(total.outcomes, bar)),
    section('Reasons', chart(total.reasons, bar)),
    section('Caps and detectors that ended runs', chart([...total.caps, ...total.detectors], bar)),
    section(`By ${choices.by}`, groupRows(by[choices.by], bar)),
    section('Checks', checkRows(total)),
    section('Warnings and stops', findingRows(total)),
    section('Tools', chart(total.tools, bar)),
    section('Begun, by weekday (UTC)', chart(weekdays(activity.byWeekday), bar)),
    section(
      'Most tokens',
      top.tokens
        .map(({ value, runId, task }) => `${whole(value).padStart(14)}  ${runId}  ${task}`)
        .join('\n'),
    ),
  ]
  return harmless(`${parts.filter((part) => part !== '').join('\n\n')}\n`)
}

function overview(total: Figures): string {
  const { cost, checks, tokens, roundsToGreen: rounds } = total
  return alignedRows([
    ['verified', rateWords(total.verified)],
    ['first try', rateWords(total.firstTry)],
    ['said done while red', rateWords(total.falseDone)],
    [
      'rounds to green',
      `median ${figure(rounds.median)}, mean ${figure(rounds.mean)} (${whole(rounds.runs)} runs)`,
    ],
    ['cost', costWords(cost)],
    [
      'in checks',
      `${figure(checks.seconds)} s, ${dollars(checks.costUsd)}; flaky ${rateWords(checks.flaky)}`,
    ],
    [
      'tokens',
      `${whole(tokens.input)} in (${whole(tokens.cachedInput)} from a cache), ${whole(tokens.output)} out`,
    ],
    [
      'turns, calls',
      `${whole(total.turns)} turns, ${whole(total.modelCalls)} model calls, ${whole(total.toolCalls)} tool calls`,
    ],
    [
      'active',
      total.activeHours < 1 ? `${figure(3600 * total.activeHours)} s` : `${figure(total.activeHours)} h`,
    ],
    ['allowed by name', `${whole(total.overrides)} overrides, ${whole(total.waivers)} waivers`],
  ])
}

function costWords({ usd, knownRuns, perVerifiedUsd }: Figures['cost']): string {
  if (knownRuns === 0) return 'the price is known of no run'
  return `${dollars(usd)} in ${whole(knownRuns)} runs whose price is known; ${dollars(perVerifiedUsd)} per verified run`
}

function groupRows(groups: readonly Group[], bar: Bar): string {
  const rows = groups
    .slice(0, maxRows)
    .map(({ name, figures }) => [
      name,
      whole(figures.runs),
      bar(figures.verified.share ?? 0),
      rateWords(figures.verified),
      percent(figures.firstTry.share),
      percent(figures.falseDone.share),
      dollars(figures.cost.perVerifiedUsd),
    ])
  return (
    alignedRows([['', 'runs', 'verified', '', 'first try', 'false done', 'per verified'], ...rows]) +
    rest(groups)
  )
}

function checkRows({ checks }: Figures): string {
  const rows = checks.each
    .slice(0, maxRows)
    .map(({ name, runs, failures, flakes, seconds, catchesPerSecond, costUsd }) => [
      ...[name, whole(runs), whole(failures), figure(seconds), figure(catchesPerSecond), dollars(costUsd)],
      whole(flakes),
    ])
  const heads = ['', 'asked', 'catches', 'seconds', 'catches/s', 'cost', 'flaky']
  return rows.length === 0 ? '' : alignedRows([heads, ...rows]) + rest(checks.each)
}

function findingRows({ findings }: Figures): string {
  const rows = findings
    .slice(0, maxRows)
    .map(({ name, findings: count, runs, verified }) => [
      name,
      whole(count),
      whole(runs),
      rateWords(verified),
    ])
  const heads = ['', 'findings', 'runs', 'ended verified']
  return rows.length === 0 ? '' : alignedRows([heads, ...rows]) + rest(findings)
}

function weekdays(counts: readonly number[]): readonly Named[] {
  const names = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']
  return counts.map((count, index) => ({ name: names[index] ?? '', count }))
}

function chart(all: readonly Named[], bar: Bar): string {
  const most = Math.max(1, ...all.map(({ count }) => count))
  const rows = all.slice(0, maxRows).map(({ name, count }) => [name, whole(count), bar(count / most)])
  return rows.length === 0 ? '' : alignedRows(rows) + rest(all)
}

type Bar = (share: number) => string

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

function barOf(isUnicode: boolean): Bar {
  if (!isUnicode) return (share) => '#'.repeat(Math.round(barLength * share))
  return (share) => {
    const length = Math.round(8 * barLength * share)
    return '█'.repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? '')
  }
}

function section(title: string, body: string): string {
  return body === '' ? '' : `${title}\n${body}`
}

function rest(all: readonly unknown[]): string {
  return all.length <= maxRows ? '' : `\n  … ${whole(all.length - maxRows)} more with --json`
}

interface QuestionFlags extends StoreFlags {
  readonly since?: string
  /** Folders. */
  readonly project?: readonly string[]
  readonly label?: readonly string[]
}

export interface Question {
  readonly rows: readonly RunRow[]
  /** For people: of which runs it is answered, and what was left out. */
  readonly scope: readonly string[]
}

/** Of the project in which the command is called, where none is named. */
async function runsInQuestion(flags: QuestionFlags, io: CliIo, nowMs: number): Promise<Question> {
  const { since, project = [], label: labels = [], ...store } = flags
  const sinceMs = since === undefined ? undefined : sinceOf(since, nowMs)
  const places: readonly StoreFlags[] =
    project.length === 0 || store.store !== undefined ? [store] : project.map((workdir) => ({ workdir }))
  const known: KnownRuns[] = []
  for (const place of places) known.push(await withStore(place, io, (opened) => knownRuns(opened, sinceMs)))
  const folders =
    store.store === undefined ? [] : project.map((folder) => realPath(resolve(io.currentFolder, folder)))
  const all = known.flatMap(({ rows }) => rows)
  const rows = all.filter(
    (row) =>
      !row.isPart &&
      row.modelCalls > 0 &&
      labels.every((label) => row.labels.includes(label)) &&
      (folders.length === 0 || (row.project !== null && folders.includes(row.project))),
  )
  return { rows, scope: scopeOf(known, rows, { sinceMs, labels, projects: project }) }
}

interface Asked {
  readonly sinceMs: number | undefined
  readonly labels: readonly string[]
  readonly projects: readonly string[]
}

function scopeOf(
  known: readonly KnownRuns[],
  rows: readonly RunRow[],
  { sinceMs, labels, projects }: Asked,
): readonly string[] {
  const all = known.flatMap((one) => one.rows)
  const importedIds = new Set(known.flatMap(({ imported }) => imported))
  const imported = rows.filter(({ runId }) => importedIds.has(runId)).length
  const parts = all.filter(({ isPart }) => isPart).length
  const damaged = known.reduce((sum, one) => sum + one.damaged, 0)
  return [
    [
      plural(rows.length, 'run'),
      sinceMs === undefined ? '' : ` begun since ${new Date(sinceMs).toISOString().slice(0, 16)}Z`,
      projects.length === 0 ? '' : ` in ${projects.join(', ')}`,
      labels.length === 0 ? '' : `, labelled ${labels.join(' and ')}`,
    ].join(''),
    ...(imported === 0 ? [] : [`${plural(imported, 'run')} imported: nothing of them was observed here`]),
    ...(parts === 0
      ? []
      : [`left out: ${plural(parts, 'run')} that did a part of another, which counts them`]),
    ...(damaged === 0
      ? []
      : [`${plural(damaged, 'record')} cannot be read to the end: what is before it counts`]),
  ]
}

const maxCell = 60

/** Cells below each other; numbers at the right of their column. */
function alignedRows(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => oneLine(cell, maxCell * 2)))
  const widths = cells.reduce<readonly number[]>(
    (known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)),
    [],
  )
  return cells
    .map((row) => `  ${row.map((cell, index) => padded(cell, widths[index] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}

function padded(cell: string, width: number): string {
  return /^[$\d.,–]+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width)
}
