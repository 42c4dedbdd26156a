/** The views of a run, and how to get from one to another. */
import type { Source } from '../../data/index.ts'
import { setQuery } from '../../parts/index.ts'
import type { RunFeed } from './run-feed.ts'

export const tabs = ['overview', 'turns', 'events', 'changes', 'goal'] as const
export type Tab = (typeof tabs)[number]

export interface TabProps {
  readonly source: Source
  readonly feed: RunFeed
}

/** @param at sequence number of the event that is chosen there */
export function openTab(tab: Tab, at = ''): void {
  setQuery({ tab: tab === 'overview' ? '' : tab, at })
}
