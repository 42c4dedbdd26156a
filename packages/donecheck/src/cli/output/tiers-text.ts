/** The tiers as a person reads them. */
import { basename } from 'node:path'
import { harmless, oneLine } from '@donecheck/core/base'
import type { Line, Tone } from '@donecheck/engine/report'
import type { CheckCost, HookHost, RowState, Tier, TierRow, TiersReport } from '../tiers/tier.ts'
import { tierTable } from '../tiers/tiers-of.ts'
import { indentText } from './wrap.ts'

/** A longer name stands on a line of its own. */
const maxNameLength = 22

const rowWords: Readonly<
  Record<RowState, { readonly mark: string; readonly tone: Tone; readonly before: string }>
> = {
  stands: { mark: '✓', tone: 'plain', before: '' },
  advises: { mark: '·', tone: 'quiet', before: 'advises: ' },
  shadow: { mark: '·', tone: 'warning', before: 'only recorded: ' },
  idle: { mark: '!', tone: 'warning', before: 'can decide nothing: ' },
  offered: { mark: '·', tone: 'quiet', before: 'not asked: ' },
  off: { mark: '·', tone: 'quiet', before: 'off: ' },
}

export function tiersLines(report: TiersReport, width: number): readonly Line[] {
  const { problems, notes, tiers } = report
  return [
    { tone: 'strong', text: oneLine(titleOf(report), width) },
    ...problems.flatMap((text) => indentText(harmless(text), '  ✗ ', width, 'bad')),
    ...notes.flatMap((text) => indentText(harmless(text), '  · ', width, 'warning')),
    ...tiers.flatMap((tier) => [blank, ...tierLines(tier, width)]),
    blank,
    ...endLines(report, width),
  ]
}

const hookWords: Readonly<Record<HookHost['hooks'], string>> = {
  installed: 'by the hooks of donecheck',
  planned: 'as it would be, installed so',
  none: 'where no hook of donecheck asks',
}

function titleOf({ subject }: TiersReport): string {
  const where = `in ${basename(subject.workFolder)}`
  if (subject.kind === 'agent') return `${subject.title} ${where}, ${hookWords[subject.hooks]}`
  return subject.drive === null ? `A run ${where}` : `A run ${where}, driven by ${subject.drive}`
}

function tierLines({ tier, state, rows }: Tier, width: number): readonly Line[] {
  const { title, about } = tierTable[tier]
  const head = state === 'stands' ? '' : state === 'empty' ? ' (empty)' : ' (in doubt)'
  const shown = rows.filter((row) => row.state !== 'off')
  const short = shown.map(({ name }) => name.length).filter((length) => length <= maxNameLength)
  const off = rows.flatMap(({ state: how, option }) =>
    how === 'off' && option !== null ? [option.flag] : [],
  )
  return [
    { tone: state === 'stands' ? 'strong' : 'bad', text: `${title}${head}: ${about}` },
    ...shown.flatMap((row) => rowLines(row, Math.max(0, ...short) + 2, width)),
    ...(off.length === 0 ? [] : indentText(`off: ${off.join(', ')}`, '  · ', width, 'quiet')),
  ]
}

function rowLines({ name, state, what, cost }: TierRow, column: number, width: number): readonly Line[] {
  const { mark, tone, before } = rowWords[state]
  const text = harmless(`${before}${what}${cost === null ? '' : ` · ${costWords(cost)}`}`)
  const head = `  ${mark} ${oneLine(name, width - 4)}`
  if (name.length <= maxNameLength) return indentText(text, head.padEnd(column + 4), width, tone)
  return [{ tone, text: head }, ...indentText(text, '      ', width, tone)]
}

/** Such as `4.2 s, $0.0021 a turn (median of 9)`. */
function costWords({ verdicts, medianSeconds, medianCostUsd }: CheckCost): string {
  if (medianSeconds === null) return 'not measured yet'
  const money = medianCostUsd === null ? '' : `, $${medianCostUsd.toFixed(4)}`
  return `${medianSeconds.toFixed(1)} s${money} a turn (median of ${verdicts})`
}

function endLines({ tiers, empty, subject }: TiersReport, width: number): readonly Line[] {
  const agent = subject.kind === 'agent' ? subject.agent : undefined
  if (empty.length > 0) {
    const fills = new Map(tiers.flatMap(({ fill }) => (fill === null ? [] : [[fill.line, fill.key]])))
    const then = agent === undefined ? '' : `, then donecheck install ${agent}`
    return [
      { tone: 'bad', text: `Empty: ${empty.join(', ')}. What it would take:` },
      ...[...fills].flatMap(([line, key]): readonly Line[] => [
        { tone: 'plain', text: `  ${line}` },
        ...(key === null ? [] : indentText(`or ${key} in donecheck.config.ts${then}`, '  ', width, 'quiet')),
      ]),
    ]
  }
  if (tiers.every(({ state }) => state === 'stands')) return [{ tone: 'good', text: 'No tier is empty.' }]
  const way =
    agent === undefined ? 'mend what is marked' : `mend what is marked, or try donecheck doctor ${agent}`
  return indentText(`No tier is empty, and not all can be relied on: ${way}.`, '', width, 'warning')
}

const blank: Line = { tone: 'plain', text: '' }
