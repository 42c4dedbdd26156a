/** One run: why it stopped first, then everything that it rests on. */
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { Source } from '../../data/index.ts'
import { Failure, route, Text, useKeys } from '../../parts/index.ts'
import { ChangesTab } from './changes-tab.tsx'
import { EventsTab } from './events-tab.tsx'
import { GoalTab } from './goal-tab.tsx'
import { Overview } from './overview.tsx'
import { RunActions, type Control } from './run-actions.tsx'
import { RunFeed } from './run-feed.ts'
import { RunFacts, StopBanner } from './stop-banner.tsx'
import { openTab, tabs, type Tab, type TabProps } from './tab.ts'
import { TurnsTab } from './turns-tab.tsx'

interface RunPageProps {
  readonly source: Source
  readonly runId: string
  /** Undefined: nobody can act on it from here. */
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
