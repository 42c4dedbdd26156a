import type { JSX } from 'preact'
import type { Insights, RunDetails, Service } from '../../data/index.ts'
import { compareFigures, compareRuns, reasonWords, type Comparison } from '../../fold/index.ts'
import { Failure, Outcome, route, setQuery, Text, useLoaded, VerdictGlyph } from '../../parts/index.ts'

type Subject =
  | { readonly kind: 'run'; readonly details: RunDetails }
  | { readonly kind: 'set'; readonly name: string; readonly insights: Insights }

export function ComparePage({ service }: { readonly service: Service }): JSX.Element {
  const names = ['a', 'b'].map((side) => route.value.query.get(side) ?? '')
  const loaded = useLoaded(
    () => Promise.all(names.map((name) => subjectOf(name, service))),
    [names.join('\n')],
  )
  const [a, b] = loaded.value.kind === 'loaded' ? loaded.value.value : []
  return (
    <>
      <h1>Compare</h1>
      <search class="filters">
        {(['a', 'b'] as const).map((side, index) => (
          <input
            type="text"
            placeholder="run, aggregate:NAME, model:NAME or tag:NAME"
            aria-label={`What to compare, ${side}`}
            defaultValue={names[index] ?? ''}
            onChange={({ currentTarget }) => setQuery({ [side]: currentTarget.value.trim() })}
          />
        ))}
      </search>
      {loaded.value.kind === 'failed' && <Failure message={loaded.value.message} />}
      {a === undefined || b === undefined ? (
        <p class="nothing quiet">
          Name two runs, or two sets such as <code>aggregate:deterministicVeto</code> and{' '}
          <code>model:openai/gpt-5</code>. In the list of runs, <kbd>c</kbd> takes the one that has the focus.
        </p>
      ) : (
        <Both a={a} b={b} />
      )}
    </>
  )
}

async function subjectOf(name: string, service: Service): Promise<Subject | undefined> {
  if (name === '') return undefined
  const [, set, value = ''] = /^(aggregate|model|tag):(.+)$/.exec(name) ?? []
  if (set === undefined) return { kind: 'run', details: await service.details(name) }
  return { kind: 'set', name, insights: await service.insights({ [set]: value }) }
}

function Both({ a, b }: { readonly a: Subject; readonly b: Subject }): JSX.Element {
  if (a.kind === 'run' && b.kind === 'run') return <Runs a={a.details} b={b.details} />
  if (a.kind === 'set' && b.kind === 'set') return <Sets a={a} b={b} />
  return <Failure message="A run and a set of runs cannot be compared: name two of a kind." />
}

type OfKind<Kind extends Subject['kind']> = Extract<Subject, { kind: Kind }>

function Sets({ a, b }: { readonly a: OfKind<'set'>; readonly b: OfKind<'set'> }): JSX.Element {
  const [one, other] = [a.insights.total, b.insights.total]
  if (one === null || other === null)
    return <Failure message={`There are no runs of ${one === null ? a.name : b.name}.`} />
  return (
    <Table heads={[<Text value={a.name} />, <Text value={b.name} />]} rows={compareFigures(one, other)} />
  )
}

function Runs({ a, b }: { readonly a: RunDetails; readonly b: RunDetails }): JSX.Element {
  return (
    <>
      <Table heads={[<RunHead details={a} />, <RunHead details={b} />]} rows={compareRuns(a, b)} />
      <h2>Checks</h2>
      <CheckTable a={a} b={b} />
    </>
  )
}

function RunHead({ details: { run } }: { readonly details: RunDetails }): JSX.Element {
  return (
    <>
      <Outcome run={run} />{' '}
      <a href={`/runs/${encodeURIComponent(run.runId)}`}>
        <Text value={run.task} />
      </a>
      <div class="quiet">
        <Text
          value={[reasonWords(run), run.model ?? run.agent ?? ''].filter((word) => word !== '').join(', ')}
        />
      </div>
    </>
  )
}

interface TableProps {
  readonly heads: readonly [JSX.Element, JSX.Element]
  readonly rows: readonly Comparison[]
}

function Table({ heads, rows }: TableProps): JSX.Element {
  return (
    <table class="figures comparison">
      <thead>
        <tr>
          <td />
          {heads.map((head) => (
            <th scope="col">{head}</th>
          ))}
          <th scope="col" class="number">
            Difference
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, a, b, difference, isBetter }) => (
          <tr>
            <th scope="row">{name}</th>
            <td class="number">{a}</td>
            <td class="number">{b}</td>
            <td class={`number ${isBetter === undefined ? 'quiet' : isBetter ? 'good' : 'bad'}`}>
              {difference}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function CheckTable({ a, b }: { readonly a: RunDetails; readonly b: RunDetails }): JSX.Element {
  const sides = [statusesOf(a), statusesOf(b)]
  const names = [...new Set(sides.flatMap((side) => [...side.keys()]))]
  return (
    <table class="figures comparison">
      <tbody>
        {names.map((name) => (
          <tr>
            <th scope="row">
              <Text value={name} />
            </th>
            {sides.map((side) => (
              <td class="number">
                <VerdictGlyph status={side.get(name) ?? 'not-asked'} /> {side.get(name) ?? 'not asked'}
              </td>
            ))}
            <td />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function statusesOf({ explanation: { passed, missing } }: RunDetails): ReadonlyMap<string, string> {
  return new Map([
    ...passed.map((name) => [name, 'passed'] as const),
    ...missing.map(({ name, status }) => [name, status] as const),
  ])
}
