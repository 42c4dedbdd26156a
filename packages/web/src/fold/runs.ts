/** The list of runs while it is looked at: what comes in is put in its place, if it belongs there. */
import type { RunItem, RunsQuery } from '../data/index.ts'
import { clock } from './figures.ts'

export type Tone = 'good' | 'bad' | 'warn' | 'live' | 'quiet'

const tones: Readonly<Record<string, Tone>> = {
  verified: 'good',
  failed: 'bad',
  error: 'bad',
  exhausted: 'warn',
  blocked: 'warn',
  interrupted: 'quiet',
  unverified: 'quiet',
}

export function toneOfOutcome(outcome: string | null | undefined): Tone {
  return outcome === null || outcome === undefined ? 'live' : (tones[outcome] ?? 'quiet')
}

/** It has not stopped. */
export function isOpen({ outcome }: Pick<RunItem, 'outcome'>): boolean {
  return outcome === null || outcome === undefined
}

/** Such as `hard_cap · iterations`; of a run that waits, for what and until when. */
export function reasonWords({
  reason,
  cap,
  detector,
  waiting,
}: Pick<RunItem, 'reason' | 'cap' | 'detector' | 'waiting'>): string {
  if (!reason && waiting) return waitWords(waiting)
  return [reason, cap, detector].filter((word) => typeof word === 'string').join(' · ')
}

/** Such as `usage limit until 14:03`; with its date if that is another day. */
function waitWords({ for: awaited, untilMs }: NonNullable<RunItem['waiting']>): string {
  const [until, now] = [clock(untilMs).slice(0, -3), clock(Date.now())]
  const isToday = until.slice(0, 10) === now.slice(0, 10)
  return `${awaited === 'limit' ? 'usage limit' : 'provider'} until ${isToday ? until.slice(11) : until}`
}

/** As the service would have chosen it. */
export function belongs(
  run: RunItem,
  { text, outcome, reason, label, open }: Omit<RunsQuery, 'cursor'>,
): boolean {
  return (
    run.task.toLowerCase().includes(text.toLowerCase()) &&
    (outcome === '' || run.outcome === outcome) &&
    (reason === '' || run.reason === reason) &&
    (label === '' || run.labels.includes(label)) &&
    (!open || isOpen(run))
  )
}

/** Latest first. A run that does not belong here any more goes. */
export function putRun(runs: readonly RunItem[], run: RunItem, query: RunsQuery): readonly RunItem[] {
  const others = runs.filter(({ runId }) => runId !== run.runId)
  if (!belongs(run, query)) return others.length === runs.length ? runs : others
  const place = others.findIndex(({ startedAtMs }) => startedAtMs <= run.startedAtMs)
  return place === -1 ? [...others, run] : others.toSpliced(place, 0, run)
}
