import { useComputed } from '@preact/signals'
import type { JSX } from 'preact'
import type { Figures, Insights, Service } from '../../data/index.ts'
import { compact, dollars, percent, whole } from '../../fold/index.ts'
import { Bars, Failure, route, setQuery, Text, useLoaded } from '../../parts/index.ts'

const spans = [
  ['', 'all time'],
  ['7d', '7 days'],
  ['4w', '4 weeks'],
  ['12w', '12 weeks'],
] as const

type Group = Insights['by']['model'][number]

export function InsightsPage({ service }: { readonly service: Service }): JSX.Element {
  const query = useComputed(() => ({
    since: route.value.query.get('since') ?? '',
    aggregate: route.value.query.get('aggregate') ?? '',
    tag: route.value.query.get('tag') ?? '',
  }))
  const loaded = useLoaded(() => service.insights(query.value), [JSON.stringify(query.value)])
  return (
    <>
      <h1>Insights</h1>
      <search class="filters">
        <select
          aria-label="since"
          value={query.value.since}
          onChange={({ currentTarget }) => setQuery({ since: currentTarget.value })}
        >
          {spans.map(([value, words]) => (
            <option value={value}>{words}</option>
          ))}
        </select>
        <Field name="tag" value={query.value.tag} />
        <Field name="aggregate" value={query.value.aggregate} />
      </search>
      {loaded.value.kind === 'failed' && <Failure message={loaded.value.message} />}
      {loaded.value.kind === 'loaded' && <Answers insights={loaded.value.value} />}
    </>
  )
}

function Field({ name, value }: { readonly name: string; readonly value: string }): JSX.Element {
  return (
    <input
      type="text"
      class="short"
      placeholder={name}
      aria-label={name}
      defaultValue={value}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    />
  )
}

function Answers({ insights: { total, by } }: { readonly insights: Insights }): JSX.Element {
  if (total === null) return <p class="nothing">No runs here.</p>
  return (
    <>
      <Cards total={total} />
      <div class="columns">
        <section>
          <h2>Verified, by week</h2>
          <WeekBars
            label="Verified, by week"
            weeks={by.week}
            of={({ verified }) => verified.share ?? 0}
            words={percent}
          />
        </section>
        <section>
          <h2>Cost, by week</h2>
          <WeekBars label="Cost, by week" weeks={by.week} of={({ cost }) => cost.usd} words={dollars} />
        </section>
        <section>
          <h2>Why runs stopped</h2>
          <Bars
            label="Runs by reason"
            rows={total.reasons.map(({ name, count }) => ({ name, value: count, words: whole(count) }))}
          />
        </section>
        <section>
          <h2>What checks caught</h2>
          <Bars
            label="Failures by check"
            rows={total.checks.each.slice(0, 10).map(({ name, failures, seconds }) => ({
              name,
              value: failures,
              words: `${whole(failures)} in ${compact(seconds)} s`,
            }))}
          />
        </section>
      </div>
      <h2>By model</h2>
      <GroupTable label="By model" groups={by.model} />
      <h2>By agent</h2>
      <GroupTable label="By agent" groups={by.agent} />
    </>
  )
}

function Cards({ total }: { readonly total: Figures }): JSX.Element {
  const { verified, firstTry, falseDone, cost, tokens, roundsToGreen } = total
  const cards = [
    ['Runs', whole(total.runs), `${whole(total.ended)} ended`],
    ['Verified', percent(verified.share), `${whole(verified.part)} of ${whole(verified.whole)}`],
    ['At first try', percent(firstTry.share), `${whole(firstTry.part)} of ${whole(firstTry.whole)}`],
    [
      'Said done while red',
      percent(falseDone.share),
      `${whole(falseDone.part)} of ${whole(falseDone.whole)} claims`,
    ],
    ['Rounds to green', whole(roundsToGreen.median), 'median'],
    ['Per verified run', dollars(cost.perVerifiedUsd), `${dollars(cost.usd)} in all`],
    ['Tokens', compact(tokens.input + tokens.output), `${compact(tokens.output)} written`],
  ] as const
  return (
    <dl class="cards">
      {cards.map(([name, value, more]) => (
        <div>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b> <span class="quiet">{more}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The weeks that a screen shows. */
const shownWeeks = 12

interface WeekBarsProps {
  readonly label: string
  readonly weeks: readonly Group[]
  readonly of: (figures: Figures) => number
  readonly words: (value: number) => string
}

function WeekBars({ label, weeks, of, words }: WeekBarsProps): JSX.Element {
  const rows = weeks.slice(-shownWeeks).map(({ name, figures }) => {
    const value = of(figures)
    return { name, value, words: words(value) }
  })
  return <Bars label={label} rows={rows} />
}

const columns = ['Name', 'Runs', 'Verified', 'First try', 'Red “done”', 'Rounds', 'Per verified', 'Tokens']

function GroupTable({
  label,
  groups,
}: {
  readonly label: string
  readonly groups: readonly Group[]
}): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="figures">
        <thead>
          <tr>
            {columns.map((name, index) => (
              <th scope="col" class={index === 0 ? '' : 'number'}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ name, figures }) => (
            <tr>
              <th scope="row">
                <Text value={name} />
              </th>
              {figureWords(figures).map((words) => (
                <td class="number">{words}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function figureWords({
  runs,
  verified,
  firstTry,
  falseDone,
  roundsToGreen,
  cost,
  tokens,
}: Figures): readonly string[] {
  return [
    whole(runs),
    percent(verified.share),
    percent(firstTry.share),
    percent(falseDone.share),
    whole(roundsToGreen.median),
    dollars(cost.perVerifiedUsd),
    compact(tokens.input + tokens.output),
  ]
}
