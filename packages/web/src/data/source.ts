/** Where the page reads from: a service, or a file in which one run is embedded. */
import type { RunEvent } from '@donecheck/core/events'
import type {
  EventsPage,
  Insights,
  Question,
  RunDetails,
  RunItem,
  RunsPage,
  Session,
  TreeChanges,
} from './shapes.ts'

/** One run, read whole and followed. Every method rejects with `SourceError` where there is no answer. */
export interface Source {
  /** How it stands, at once, however long it is; figures that would have to be counted may be missing. */
  summary(runId: string): Promise<RunItem>
  details(runId: string): Promise<RunDetails>
  /** @param after sequence number of the last event that is known; 0 for the beginning */
  events(runId: string, after: number): Promise<EventsPage>
  /** What happens from now on. @returns ends it */
  follow(runId: string, after: number, follower: Follower): () => void
  /** A long output, whole. */
  attachment(runId: string, digest: string): Promise<string>
  /** The work folder as it is now beside the baseline tree. */
  treeChanges(runId: string): Promise<TreeChanges>
}

export interface Follower {
  readonly happened: (event: RunEvent) => void
  /** The run has stopped. */
  readonly ended: () => void
}

/** Everything that only a service can tell and do. */
export interface Service extends Source {
  session(): Promise<Session>
  runs(query: RunsQuery): Promise<RunsPage>
  /** Call once per page. */
  watch(watcher: Watcher): void
  /** Those that are open. */
  questions(): Promise<readonly Question[]>
  answer(questionId: string, answer: Answer): Promise<void>
  cancel(runId: string, reason: string): Promise<void>
  /** @param topUp by the names that are typed after `--top-up`; undefined: with what is left */
  resume(runId: string, topUp: TopUp | undefined): Promise<void>
  insights(query: InsightsQuery): Promise<Insights>
}

export interface Watcher {
  readonly changed: (run: RunItem) => void
  /** A question was asked, answered or withdrawn: so many are open. */
  readonly questions: (open: number) => void
  /** More has changed than can be told one by one. */
  readonly reload: () => void
  /** The line is there, or not. */
  readonly connected: (isConnected: boolean) => void
}

export type TopUp = Readonly<Record<string, number>>

export interface Answer {
  readonly approved: boolean
  readonly scope?: 'once' | 'session' | 'rule'
  readonly reason?: string
}

export interface RunsQuery {
  readonly text: string
  readonly outcome: string
  readonly reason: string
  readonly label: string
  readonly open: boolean
  readonly cursor?: string
}

/** Empty: all of them. `since`: such as `7d`. */
export interface InsightsQuery {
  readonly since?: string
  readonly policy?: string
  readonly model?: string
  readonly label?: string
}

/** A sentence for a person, with the way out. */
export class SourceError extends Error {
  override name = 'SourceError'
  /** Of HTTP; 0: there was no answer at all. */
  readonly status: number

  constructor(message: string, status = 0) {
    super(message)
    this.status = status
  }
}
