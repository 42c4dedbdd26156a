/** The answers as one file that needs nothing else: no script, no font, no address. */
import type { Figures } from '../figures/figures.ts'
import type { Group, Insights, TopRun } from '../report.ts'
import { bars, columns, rates } from './charts.ts'
import { markup, Markup } from './markup.ts'
import { dollars, figure, percent, rateWords, whole } from './words.ts'

export interface PageWords {
  readonly title: string
  /** Of which runs it tells, and what was left out. */
  readonly scope: readonly string[]
}

/** @returns a whole HTML document; every text of a run is escaped, and the page may load and run nothing */
export function insightsPage(insights: Insights, { title, scope }: PageWords): string {
  const body =
    insights.total === null ? markup`<p>There are no runs.</p>` : sections(insights, insights.total)
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<h1>${title}</h1>
${scope.map((line) => markup`<p class="quiet">${line}</p>`)}
${body}
</body>
</html>
`.html
}

function sections({ by, activity, top }: Insights, total: Figures): Markup {
  const weeks = by.week.map(({ name, figures }) => ({ name, rate: figures.verified }))
  return markup`<div class="cards">${cards(total)}</div>
<h2>Ends</h2>
<div class="row">${bars('Runs by outcome', total.outcomes)}${bars('Runs by reason', total.reasons)}</div>
<h2>Weeks</h2>
<div class="row">${rates('Verified, of the runs that ended, by ISO week; the line is the 95 % interval', weeks)}</div>
${groupTable('By model', by.model)}
${groupTable('By agent', by.agent)}
${groupTable('By project', by.project)}
<h2>Checks</h2>
${checkTable(total)}
<h2>Warnings and stops of detectors</h2>
${findingTable(total)}
<h2>Tools</h2>
<div class="row">${bars('Calls by tool', total.tools, 15)}</div>
<h2>When runs begin (UTC)</h2>
<div class="row">${columns('By weekday', activity.byWeekday, weekdays)}${columns('By hour', activity.byHour, hours)}</div>
<p>${`${whole(activity.activeDays)} days with a run; longest streak: ${whole(activity.longestStreakDays)} days.`}</p>
<h2>Largest runs</h2>
${topTable('Active seconds', top.activeSeconds)}${topTable('Messages', top.messages)}
${topTable('Tokens', top.tokens)}${topTable('Tool calls', top.toolCalls)}`
}

const weekdays = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']
const hours = Array.from({ length: 24 }, (_, hour) => String(hour))

function cards(total: Figures): readonly Markup[] {
  const { cost, roundsToGreen, checks, tokens } = total
  const priced = `${dollars(cost.usd)} in ${whole(cost.knownRuns)} runs`
  const checked = `${dollars(checks.costUsd)}; flaky ${percent(checks.flaky.share)}`
  const all: readonly (readonly [name: string, value: string, more: string])[] = [
    ['Runs', whole(total.runs), `${whole(total.ended)} ended`],
    ['Verified', percent(total.verified.share), rateWords(total.verified)],
    ['First try', percent(total.firstTry.share), rateWords(total.firstTry)],
    ['Said done while red', percent(total.falseDone.share), rateWords(total.falseDone)],
    ['Rounds to green', figure(roundsToGreen.median), `median; mean ${figure(roundsToGreen.mean)}`],
    ['Per verified run', dollars(cost.perVerifiedUsd), priced],
    ['In checks', `${figure(checks.seconds)} s`, checked],
    ['Tokens', whole(tokens.input + tokens.output), `${whole(tokens.cachedInput)} from a cache`],
    ['Overrides', whole(total.overrides), `${whole(total.waivers)} waivers`],
  ]
  return all.map(
    ([name, value, more]) =>
      markup`<div class="card"><div class="quiet">${name}</div><div class="large">${value}</div><div class="quiet">${more}</div></div>`,
  )
}

function groupTable(title: string, groups: readonly Group[]): Markup {
  const rows = groups.map(({ name, figures }) => [
    name,
    whole(figures.runs),
    rateWords(figures.verified),
    percent(figures.firstTry.share),
    percent(figures.falseDone.share),
    figure(figures.roundsToGreen.mean),
    dollars(figures.cost.perVerifiedUsd),
    whole(figures.tokens.input + figures.tokens.output),
    figure(figures.checks.seconds),
  ])
  return markup`<h2>${title}</h2>${table(groupColumns, rows)}`
}

const groupColumns = [
  ...['', 'runs', 'verified', 'first try', 'said done while red', 'rounds to green'],
  ...['per verified run', 'tokens', 'seconds in checks'],
]

function checkTable({ checks }: Figures): Markup {
  const rows = checks.each.map((check) => [
    check.name,
    whole(check.runs),
    whole(check.failures),
    figure(check.seconds),
    figure(check.catchesPerSecond),
    dollars(check.costUsd),
    whole(check.flakes),
  ])
  return table(['check', 'asked', 'catches', 'seconds', 'catches per second', 'cost', 'flaky'], rows)
}

function findingTable({ findings }: Figures): Markup {
  const rows = findings.map(({ name, runs, findings: count, verified }) => [
    name,
    whole(count),
    whole(runs),
    rateWords(verified),
  ])
  return table(['detector', 'findings', 'runs', 'of them ended verified'], rows)
}

function topTable(title: string, runs: readonly TopRun[]): Markup {
  return table(
    [title, 'run', 'task'],
    runs.map(({ value, runId, task }) => [figure(value), runId, task]),
  )
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): Markup {
  if (rows.length === 0) return markup`<p class="quiet">None.</p>`
  const line = (cells: readonly string[]) => markup`<tr>${cells.map(cellOf)}</tr>`
  return markup`<table><thead><tr>${heads.map((head) => markup`<th>${head}</th>`)}</tr></thead>
<tbody>${rows.map(line)}</tbody></table>`
}

/** A number is not broken in the middle. */
function cellOf(text: string): Markup {
  return /^[$\d–]/.test(text) ? markup`<td class="number">${text}</td>` : markup`<td>${text}</td>`
}

const style = `
:root { color-scheme: light dark; --bar: #1b6ca8; --grid: #8884; --quiet: #777; }
body { font: 14px/1.45 system-ui, sans-serif; max-width: 1080px; margin: 24px auto; padding: 0 16px; }
h1 { font-size: 22px; } h2 { font-size: 17px; margin: 28px 0 8px; }
.quiet { color: var(--quiet); fill: var(--quiet); font-size: 12px; margin: 2px 0; }
.cards, .row { display: flex; flex-wrap: wrap; gap: 12px; }
.card { border: 1px solid var(--grid); border-radius: 6px; padding: 8px 12px; min-width: 150px; }
.large { font-size: 22px; font-weight: 600; }
figure { margin: 0; overflow-x: auto; } figcaption { font-size: 12px; color: var(--quiet); margin-bottom: 4px; }
svg text { font-size: 12px; fill: currentColor; } svg text.quiet { fill: var(--quiet); }
.bar { fill: var(--bar); } .grid { stroke: var(--grid); } .interval { stroke: var(--bar); stroke-width: 2; opacity: .5; }
table { border-collapse: collapse; width: 100%; margin: 4px 0 12px; }
th, td { text-align: left; padding: 3px 10px 3px 0; border-bottom: 1px solid var(--grid); vertical-align: top; overflow-wrap: anywhere; }
.number { white-space: nowrap; }
th { font-weight: 600; font-size: 12px; color: var(--quiet); }
`
