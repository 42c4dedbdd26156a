/** What a backtest has to say, for a terminal. */
import type { BacktestReport, PolicyReport, RunCounts, Saving } from '@donecheck/engine/backtest'
import type { Interval } from '@donecheck/engine/base'
import { plural, thousands } from '@donecheck/core/base'

type Policies = readonly PolicyReport[]

/** @param withSets every file or store by itself as well */
export function reportText(report: BacktestReport, withSets: boolean): string {
  const { counts, policies, sets } = report
  const parts = withSets
    ? Object.entries(sets).map(([name, set]) => `${name}: ${partText(set.counts, set.policies)}`)
    : []
  return `${[partText(counts, policies), ...parts, notes(report).join('\n')].join('\n\n')}\n`
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
  return resolved === 0 ? '-' : `${lost.length} of ${resolved} (${rangeText(killedInterval)})`
}

function savingCell({ saved, share }: Saving, amountText: (amount: number) => string): string {
  return share === undefined ? '-' : `${amountText(saved)} = ${percent(share)} %`
}

function rangeText({ low, high }: Interval): string {
  return `${percent(low)}–${percent(high)} %`
}

export function percent(share: number): string {
  return (100 * share).toFixed(1)
}

export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
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
