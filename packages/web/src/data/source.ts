import type { RunEvent } from '@donecheck/core/internal/events'
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

/** Reads and follows one run. Every method rejects with `SourceError` if there is no response. */
export interface Source {
  summary(runId: string): Promise<RunItem>
  details(runId: string): Promise<RunDetails>
  /** @param after sequence number of the last known event; 0 for the start */
  events(runId: string, after: number): Promise<EventsPage>
  follow(runId: string, after: number, follower: Follower): () => void
  attachment(runId: string, digest: string): Promise<string>
  treeChanges(runId: string): Promise<TreeChanges>
}

export interface Follower {
  readonly happened: (event: RunEvent) => void
  readonly ended: () => void
}

export interface Service extends Source {
  session(): Promise<Session>
  runs(query: RunsQuery): Promise<RunsPage>
  watch(watcher: Watcher): void
  questions(): Promise<readonly Question[]>
  answer(questionId: string, answer: Answer): Promise<void>
  cancel(runId: string, reason: string): Promise<void>
  /** @param topUp by the names after `--top-up`; undefined for none */
  resume(runId: string, topUp: TopUp | undefined): Promise<void>
  insights(query: InsightsQuery): Promise<Insights>
}

export interface Watcher {
  readonly changed: (run: RunItem) => void
  readonly questions: (open: number) => void
  readonly reload: () => void
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

/** An empty or absent field does not restrict the result. `since` is a span such as `7d`. */
export interface InsightsQuery {
  readonly since?: string
  readonly policy?: string
  readonly model?: string
  readonly label?: string
}

export class SourceError extends Error {
  override name = 'SourceError'
  readonly status: number

  constructor(message: string, status = 0) {
    super(message)
    this.status = status
  }
}
