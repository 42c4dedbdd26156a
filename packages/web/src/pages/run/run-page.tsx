import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { RunItem, Service, Source } from '../../data/index.ts'
import { Failure, route, Text, useKeys, messageOf } from '../../parts/index.ts'
import { ChangeGoal } from './change-goal.tsx'
import { ChangesTab } from './changes-tab.tsx'
import { EventsTab } from './events-tab.tsx'
import { GoalTab, Overview } from './overview.tsx'
import { RunFacts, StopBanner } from './stop-banner.tsx'
import { TurnsTab } from './turns-tab.tsx'
import { useSignal } from '@preact/signals'
import { isOpen, readTopUp } from '../../fold/index.ts'
import { topUpOf } from '@donecheck/core/internal/decide'
import { resumableOutcomes } from '@donecheck/core/internal/decide/stops'
import { RunFeed, tabs, type Tab, type TabProps, openTab } from './run-feed.ts'

interface RunPageProps {
  readonly source: Source
  readonly runId: string
  readonly control: Control | undefined
}

const views: Readonly<Record<Tab, (props: TabProps) => JSX.Element>> = {
  overview: Overview,
  turns: TurnsTab,
  events: EventsTab,
  changes: ChangesTab,
  goal: GoalTab,
}

export function RunPage({ source, runId, control }: RunPageProps): JSX.Element {
  const feed = useMemo(() => new RunFeed(source, runId), [source, runId])
  useEffect(() => () => feed.close(), [feed])
  const tab = tabs.find((name) => name === route.value.query.get('tab')) ?? 'overview'
  useKeys(tabs.map((name, index) => ({ key: String(index + 1), what: name, act: () => openTab(name) })))
  const run = feed.run.value
  const View = views[tab]
  return (
    <>
      {feed.failure.value !== '' && <Failure message={feed.failure.value} />}
      {run === undefined ? (
        <p class="quiet">{feed.failure.value === '' ? 'Reading the run …' : ''}</p>
      ) : (
        <>
          <header class="run-head">
            <h1 title={run.task}>
              <Text value={run.task.trim() === '' ? runId : run.task} />
            </h1>
            {control !== undefined && <RunActions control={control} feed={feed} run={run} />}
            <RunFacts run={run} />
          </header>
          <StopBanner run={run} feed={feed} />
          <TabBar chosen={tab} feed={feed} />
          <View source={source} feed={feed} />
          {tab === 'goal' && control !== undefined && (
            <ChangeGoal key={run.task} service={control} runId={runId} objective={run.task} />
          )}
        </>
      )}
    </>
  )
}

function TabBar({ chosen, feed }: { readonly chosen: Tab; readonly feed: RunFeed }): JSX.Element {
  const { turns, events, changes, state } = feed.shown.value.view
  const counts = {
    turns: turns.length,
    events: events.length,
    changes: changes.length,
    goal: state?.goal.subGoals.length ?? 0,
  }
  return (
    <nav class="tabs" aria-label="Views of the run">
      {tabs.map((name, index) => (
        <button
          type="button"
          title={`Key ${index + 1}`}
          aria-current={name === chosen ? 'page' : undefined}
          onClick={() => openTab(name)}
        >
          {name}
          {name !== 'overview' && counts[name] > 0 && (
            <span class="quiet figure"> {counts[name].toLocaleString('en-US')}</span>
          )}
        </button>
      ))}
    </nav>
  )
}

type Control = Pick<Service, 'cancel' | 'changeObjective' | 'resume'>

interface ActionsProps {
  readonly control: Control
  readonly feed: RunFeed
  readonly run: RunItem
}

function RunActions({ control, feed, run }: ActionsProps): JSX.Element {
  const failure = useSignal('')
  const act = async (action: () => Promise<unknown>) => {
    failure.value = ''
    try {
      await action()
      await feed.reload()
      feed.follow()
    } catch (error) {
      failure.value = messageOf(error)
    }
  }
  return (
    <div class="actions">
      {isOpen(run) ? (
        <button
          type="button"
          onClick={() => void act(() => control.cancel(run.runId, 'cancelled on the page'))}
        >
          Cancel
        </button>
      ) : (
        <Resume feed={feed} resume={(typed) => void act(() => resumeWith(typed, run.runId, control))} />
      )}
      {failure.value !== '' && <Failure message={failure.value} />}
    </div>
  )
}

/** @throws {Error} for a top-up that cannot be parsed */
async function resumeWith(typed: string, runId: string, control: Control): Promise<void> {
  const read = readTopUp(typed)
  if (read.kind === 'unreadable') throw new Error(read.message)
  await control.resume(runId, read.topUp)
}

interface ResumeProps {
  readonly feed: RunFeed
  readonly resume: (typed: string) => void
}

function Resume({ feed, resume }: ResumeProps): JSX.Element {
  const typed = useSignal<string | undefined>(undefined)
  const { state } = feed.shown.value.view
  if (state?.phase.kind !== 'stopped') return <></>
  const { transition } = state.phase
  const suggested = topUpOf(state, transition)
  if (suggested === undefined && !resumableOutcomes.includes(transition.outcome)) return <></>
  const topUp = typed.value ?? suggested ?? ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        resume(topUp)
      }}
    >
      <label class="quiet" for="top-up">
        Add to the budget
      </label>
      <input
        id="top-up"
        class="short"
        aria-label="Top up, such as turns=45"
        placeholder="turns=45"
        value={topUp}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      />
      <button type="submit" class="main">
        {topUp === '' ? 'Resume' : 'Top up and resume'}
      </button>
    </form>
  )
}
