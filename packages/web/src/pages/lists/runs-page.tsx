import { useComputed, useSignal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { RunItem, RunsPage as Page, RunsQuery, Service } from '../../data/index.ts'
import { ago, clock, compact, dollars, duration, putRun, reasonWords, whole } from '../../fold/index.ts'
import {
  Failure,
  go,
  messageOf,
  nowMs,
  Outcome,
  route,
  Spark,
  Text,
  useKeys,
  setQuery,
} from '../../parts/index.ts'
import { changedRun, reloads } from '../live.ts'
import { StartRun } from './start-run.tsx'
import { outcomes, stopReasons } from '@donecheck/core/internal/events/transitions'

interface RunsPageProps {
  readonly service: Service
  /** Undefined without the role `run`. */
  readonly control: Pick<Service, 'start'> | undefined
}

export function RunsPage({ service, control }: RunsPageProps): JSX.Element {
  const query = useComputed(() => queryOf(route.value.query))
  const { page, failure, more } = useRuns(service, query)
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table)
  const { runs, next } = page.value ?? { runs: [], next: null }
  return (
    <>
      <h1 class="out-of-sight">Runs</h1>
      {control !== undefined && <StartRun service={control} />}
      <RunFilters query={query.value} />
      {failure.value !== '' && <Failure message={failure.value} />}
      {page.value !== undefined && runs.length === 0 && <NoRuns />}
      {runs.length > 0 && (
        <table class="runs" ref={table}>
          <thead>
            <tr>
              {columns.map(([name, kind]) => (
                <th class={kind} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <Row key={run.runId} run={run} />
            ))}
          </tbody>
        </table>
      )}
      {next !== null && (
        <p class="more">
          <button type="button" onClick={() => void more(next)}>
            Show earlier runs
          </button>
        </p>
      )}
    </>
  )
}

const columns = [
  ['Outcome', ''],
  ['Task', ''],
  ['Reason', ''],
  ['Agent', ''],
  ['Turns', 'number'],
  ['Tokens', 'number'],
  ['Cost', 'number'],
  ['Time', 'number'],
  ['Failing', 'number'],
  ['Started', 'number'],
] as const

function Row({ run }: { readonly run: RunItem }): JSX.Element {
  const address = `/runs/${encodeURIComponent(run.runId)}`
  return (
    <tr
      onClick={(event) =>
        event.target instanceof HTMLElement && event.target.closest('a') === null && go(address)
      }
    >
      <td class="outcome">
        <Outcome run={run} />
      </td>
      <td class="task">
        <div>
          <a href={address} data-run={run.runId} title={run.task}>
            <Text value={run.task.trim() === '' ? run.runId : run.task} />
          </a>
          {run.tags.map((tag) => (
            <span class="tag">
              <Text value={tag} />
            </span>
          ))}
        </div>
      </td>
      <td class="reason" title={reasonWords(run)}>
        <Text value={reasonWords(run)} />
      </td>
      <td class="agent">
        <Text value={run.model ?? run.agent ?? ''} />
      </td>
      <td class="number turns">{whole(run.turns)}</td>
      <td class="number tokens">{compact(run.tokens)}</td>
      <td class="number cost">{dollars(run.costUsd)}</td>
      <td class="number time">{duration(run.activeMs)}</td>
      <td class="number failing">
        <Spark readings={run.failing} />
      </td>
      <td class="number started">
        <time dateTime={new Date(run.startedAtMs).toISOString()} title={clock(run.startedAtMs)}>
          {ago(run.startedAtMs, nowMs.value)}
        </time>
      </td>
    </tr>
  )
}

function NoRuns(): JSX.Element {
  return (
    <div class="nothing">
      <p>No runs here.</p>
      <p class="quiet">
        Start one with <code>donecheck --until "npm test" "make the tests pass"</code>, or change the filters.
      </p>
    </div>
  )
}

function queryOf(query: URLSearchParams): RunsQuery {
  const of = (name: string) => query.get(name) ?? ''
  return {
    text: of('text'),
    outcome: outcomes.find((outcome) => outcome === of('outcome')) ?? '',
    reason: stopReasons.find((reason) => reason === of('reason')) ?? '',
    tag: of('tag'),
    open: query.has('open'),
  }
}

interface Runs {
  readonly page: Signal<Page | undefined>
  readonly failure: Signal<string>
  readonly more: (cursor: string) => Promise<void>
}

function useRuns(service: Service, query: ReadonlySignal<RunsQuery>): Runs {
  const page = useSignal<Page | undefined>(undefined)
  const failure = useSignal('')
  const asked = JSON.stringify(query.value)
  const load = async (cursor?: string) => {
    try {
      const wanted = query.peek()
      const { runs, next } = await service.runs({ ...wanted, ...(cursor === undefined ? {} : { cursor }) })
      if (wanted !== query.peek()) return
      const earlier = cursor === undefined ? [] : (page.peek()?.runs ?? [])
      const known = new Set(earlier.map(({ runId }) => runId))
      page.value = { runs: [...earlier, ...runs.filter(({ runId }) => !known.has(runId))], next }
      failure.value = ''
    } catch (error) {
      failure.value = messageOf(error)
    }
  }
  useEffect(() => void load(), [asked, reloads.value])
  useEffect(() => {
    const [run, now] = [changedRun.value, page.peek()]
    if (run !== undefined && now !== undefined)
      page.value = { ...now, runs: [...putRun(now.runs, run, query.peek())] }
  }, [changedRun.value])
  return { page, failure, more: load }
}

function useRowKeys(table: { readonly current: HTMLTableElement | null }): void {
  const marked = useSignal<string | undefined>(undefined)
  const links = () => [...(table.current?.querySelectorAll<HTMLAnchorElement>('a[data-run]') ?? [])]
  const place = () => links().findIndex((link) => link === document.activeElement)
  const move = (step: number) => {
    const all = links()
    all[Math.min(all.length - 1, Math.max(0, place() + step))]?.focus()
  }
  const mark = () => {
    const runId = links()[place()]?.dataset['run']
    if (runId === undefined) return
    if (marked.value === undefined || marked.value === runId) marked.value = runId
    else go(`/compare?a=${encodeURIComponent(marked.value)}&b=${encodeURIComponent(runId)}`)
  }
  useKeys([
    { key: 'j', what: 'next run', act: () => move(1) },
    { key: 'k', what: 'previous run', act: () => move(-1) },
    { key: 'c', what: 'compare: this run, and then the one where it is typed next', act: mark },
    { key: '/', what: 'search', act: () => document.querySelector<HTMLInputElement>('#search')?.focus() },
  ])
}

function RunFilters({ query }: { readonly query: RunsQuery }): JSX.Element {
  return (
    <search class="filters">
      <input
        id="search"
        type="search"
        placeholder="Search tasks  /"
        aria-label="Search tasks"
        value={query.text}
        onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
      />
      <Choice name="outcome" chosen={query.outcome} choices={outcomes} />
      <Choice name="reason" chosen={query.reason} choices={stopReasons} />
      <input
        type="text"
        placeholder="Tag"
        aria-label="Tag"
        class="short"
        defaultValue={query.tag}
        onChange={({ currentTarget }) => setQuery({ tag: currentTarget.value })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={query.open}
          onChange={({ currentTarget }) => setQuery({ open: currentTarget.checked ? '1' : '' })}
        />
        running
      </label>
    </search>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly chosen: string
  readonly choices: readonly string[]
}

function Choice({ name, chosen, choices }: ChoiceProps): JSX.Element {
  return (
    <select
      aria-label={name}
      value={chosen}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    >
      <option value="">any {name}</option>
      {choices.map((choice) => (
        <option value={choice}>{choice}</option>
      ))}
    </select>
  )
}
