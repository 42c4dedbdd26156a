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
} from '@donecheck/engine/internal/insight/insights'
import type { CliIo } from '../../process/io.ts'
import { harmless, plural } from '@donecheck/core/internal/base'
import { realPath } from '@donecheck/engine/internal/base'
import { resolve } from 'node:path'
import { print, tableText } from '../../output/wrap.ts'
import { withStore } from '../../settings/settings.ts'
import type { StoreFlags, Flags } from '../../options/flags.ts'

type InsightsFlags = QuestionFlags & Flags<'by'>

export async function insightsCommand(flags: InsightsFlags, io: CliIo): Promise<number> {
  const { by, json, ...asked } = flags
  const { rows, scope } = await runsInQuestion(asked, io, Date.now())
  const insights = insightsOf(rows)
  const shown = dimensions.find((one) => one === by) ?? 'model'
  return print(io, json, { scope, ...insights }, () => insightsText(insights, scope, shown))
}

const maxRows = 12

function insightsText({ total, by, top }: Insights, scope: readonly string[], dimension: Dimension): string {
  const head = scope.join('\n')
  if (total === null) return harmless(head)
  const parts = [
    head,
    tableText(overview(total), '  '),
    section('Ends', counts([...total.outcomes, ...total.reasons])),
    section('Caps and detectors that ended runs', counts([...total.caps, ...total.detectors])),
    section(`By ${dimension}`, groupRows(by[dimension])),
    section('Checks', checkRows(total)),
    section('Warnings and stops', findingRows(total)),
    section('Tools', counts(total.tools)),
    section('Most tokens', [
      ['', 'tokens', 'run', 'task'],
      ...top.tokens.map(({ value, runId, task }) => ['', whole(value), runId, task]),
    ]),
  ]
  return harmless(parts.filter((part) => part !== '').join('\n\n'))
}

type Rows = readonly (readonly string[])[]

function overview(total: Figures): Rows {
  const { cost, checks, tokens, roundsToGreen: rounds } = total
  const active =
    total.activeHours < 1 ? `${figure(3600 * total.activeHours)} s` : `${figure(total.activeHours)} h`
  return [
    ['verified', rateWords(total.verified)],
    ['first try', rateWords(total.firstTry)],
    ['said done while red', rateWords(total.falseDone)],
    ['rounds to green', `median ${figure(rounds.median)} (${whole(rounds.runs)} runs)`],
    [
      'cost',
      `${dollars(cost.usd)}, known of ${whole(cost.knownRuns)} runs; ${dollars(cost.perVerifiedUsd)} per verified run`,
    ],
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
      `${whole(total.turns)}, ${whole(total.modelCalls)} of the model, ${whole(total.toolCalls)} of tools`,
    ],
    ['active', active],
    ['allowed by name', `${whole(total.overrides)} overrides, ${whole(total.waivers)} waivers`],
  ]
}

function groupRows(groups: readonly Group[]): Rows {
  const rows = groups.map(({ name, figures }) => [
    name,
    whole(figures.runs),
    rateWords(figures.verified),
    percent(figures.firstTry.share),
    percent(figures.falseDone.share),
    dollars(figures.cost.perVerifiedUsd),
  ])
  return [['', 'runs', 'verified', 'first try', 'false done', 'per verified'], ...rows]
}

function checkRows({ checks }: Figures): Rows {
  const rows = checks.each.map(({ name, runs, failures, flakes, seconds, costUsd }) => [
    ...[name, whole(runs), whole(failures), figure(seconds), dollars(costUsd), whole(flakes)],
  ])
  return [['', 'asked', 'catches', 'seconds', 'cost', 'flaky'], ...rows]
}

function findingRows({ findings }: Figures): Rows {
  const rows = findings.map(({ name, findings: count, runs, verified }) => [
    ...[name, whole(count), whole(runs), rateWords(verified)],
  ])
  return [['', 'findings', 'runs', 'ended verified'], ...rows]
}

function counts(all: readonly Named[]): Rows {
  return [['', 'runs'], ...all.map(({ name, count }) => [name, whole(count)])]
}

/** @param rows the first is the heading */
function section(title: string, [heading = [], ...rows]: Rows): string {
  if (rows.length === 0) return ''
  const rest = rows.length - maxRows
  const more = rest > 0 ? `\n  … ${whole(rest)} more with --json` : ''
  return `${title}\n${tableText([heading, ...rows.slice(0, maxRows)], '  ')}${more}`
}

type QuestionFlags = StoreFlags & Flags<'since', never, 'project' | 'tag'>

/** Defaults to the current project. */
async function runsInQuestion(flags: QuestionFlags, io: CliIo, nowMs: number) {
  const { since, project = [], tag: tags = [], ...store } = flags
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
      tags.every((tag) => row.tags.includes(tag)) &&
      (folders.length === 0 || (row.project !== null && folders.includes(row.project))),
  )
  return { rows, scope: scopeOf(known, rows, { sinceMs, tags, projects: project }) }
}

interface Asked {
  readonly sinceMs: number | undefined
  readonly tags: readonly string[]
  readonly projects: readonly string[]
}

function scopeOf(
  known: readonly KnownRuns[],
  rows: readonly RunRow[],
  { sinceMs, tags, projects }: Asked,
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
      tags.length === 0 ? '' : `, tagged ${tags.join(' and ')}`,
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
