/** Made of the routes of the service by `npm run api-types`; a test holds it to them. */
import type { Shapes } from './shapes.ts'

export interface Routes {
  /** Who is asking, what they may do, and of which store. */
  readonly 'GET /api/session': {
    readonly answer: {
      readonly user: string
      readonly roles: readonly ('read' | 'run' | 'approve')[]
      readonly version: string
      readonly place: string
      readonly canStart: boolean
    }
  }
  /** Runs, the latest begun first, page by page. */
  readonly 'GET /api/runs': {
    readonly query: {
      readonly limit?: number
      readonly cursor?: string
      readonly outcome?:
        'verified' | 'failed' | 'exhausted' | 'unverified' | 'blocked' | 'interrupted' | 'error'
      readonly reason?:
        | 'task_complete'
        | 'verifier_failed_unrecoverable'
        | 'hard_cap'
        | 'diminishing'
        | 'loop_detected'
        | 'stagnated'
        | 'model_ended'
        | 'blocked'
        | 'awaiting_approval'
        | 'permission_denied'
        | 'user_interrupt'
        | 'error'
      readonly label?: string
      readonly open?: 'true' | 'false'
      readonly text?: string
      readonly all?: 'true' | 'false'
    }
    readonly answer: { readonly runs: readonly Shapes['RunItem'][]; readonly next: string | null }
  }
  /** Begins a run; with the header Idempotency-Key the same request again gives the same run. */
  readonly 'POST /api/runs': {
    readonly body: Shapes['StartRequest']
    readonly answer: { readonly runId: string }
  }
  /** One run: its figures, why it stopped or what is missing, its goal. */
  readonly 'GET /api/runs/{id}': {
    readonly path: { readonly id: string }
    readonly answer: {
      readonly run: Shapes['RunItem']
      readonly row: Shapes['RunRow']
      readonly explanation: Shapes['Explanation']
      readonly goal: Shapes['GoalReport']
    }
  }
  /** How a run stands, at once: of a run of any length no event is read, and what would have to be counted is 0. */
  readonly 'GET /api/runs/{id}/summary': {
    readonly path: { readonly id: string }
    readonly answer: { readonly run: Shapes['RunItem'] }
  }
  /** Events of a run after one of them, in order. */
  readonly 'GET /api/runs/{id}/events': {
    readonly path: { readonly id: string }
    readonly query: { readonly after?: number; readonly limit?: number }
    readonly answer: { readonly events: readonly Shapes['StoredEvent'][]; readonly next: number | null }
  }
  /** Goes on with a run that has stopped, with more budget where it is given. */
  readonly 'POST /api/runs/{id}/resume': {
    readonly path: { readonly id: string }
    readonly body: { readonly topUp?: Readonly<Record<string, number>> }
    readonly answer: { readonly runId: string }
  }
  /** Interrupts a run; it can be resumed. */
  readonly 'POST /api/runs/{id}/cancel': {
    readonly path: { readonly id: string }
    readonly body: { readonly reason?: string }
    readonly answer: { readonly how: 'interrupted' | 'paused' | 'stopped' }
  }
  /** The goal of a run, its parts, and what was asked for and is not answered yet. */
  readonly 'GET /api/runs/{id}/goal': {
    readonly path: { readonly id: string }
    readonly answer: Shapes['GoalReport']
  }
  /** Asks for a change of the goal; the run answers before its next turn, or when it is resumed. */
  readonly 'POST /api/runs/{id}/goal': {
    readonly path: { readonly id: string }
    readonly body: {
      readonly change:
        | { readonly kind: 'replaced'; readonly goalId: string; readonly objective: string }
        | { readonly kind: 'objective-edited'; readonly objective: string }
        | {
            readonly kind: 'sub-goal-added'
            readonly subGoal: {
              readonly id: string
              readonly title: string
              readonly parentId: string | null
              readonly checks: readonly string[]
              readonly after: readonly string[]
              readonly isProposed: boolean
              readonly budget?: {
                readonly turns?: number
                readonly tokens?: number
                readonly costUsd?: number
                readonly activeMs?: number
              }
            }
            readonly checks: readonly { readonly name: string; readonly command: string }[]
          }
        | {
            readonly kind: 'sub-goal-edited'
            readonly id: string
            readonly title?: string
            readonly budget?: {
              readonly turns?: number
              readonly tokens?: number
              readonly costUsd?: number
              readonly activeMs?: number
            }
          }
        | { readonly kind: 'sub-goal-over-budget'; readonly id: string; readonly reason: string }
        | {
            readonly kind: 'checks-added'
            readonly checks: readonly { readonly name: string; readonly command: string }[]
          }
        | { readonly kind: 'paused'; readonly reason: string }
        | { readonly kind: 'resumed' }
        | { readonly kind: 'cleared' }
        | {
            readonly awaited:
              | {
                  readonly kind: 'process'
                  readonly processId: number
                  readonly processStart: string | null
                  readonly host?: string
                }
              | { readonly kind: 'run'; readonly runId: string }
              | { readonly kind: 'time' }
            readonly expiresAtMs: number
            readonly reason: string
            readonly kind: 'wait-began'
          }
        | { readonly kind: 'blocker-reported'; readonly blocker: string }
        | { readonly kind: 'progress-reported'; readonly progress: string }
        | { readonly kind: 'message-given'; readonly text: string }
        | { readonly kind: 'completion-requested' }
      readonly goalId?: string
    }
    readonly answer: Shapes['GoalReport']
  }
  /** Open questions; with `wait`, answers when they are others than those `known`, or when the time is over. */
  readonly 'GET /api/questions': {
    readonly query: { readonly wait?: number; readonly known?: string }
    readonly answer: { readonly questions: readonly Shapes['Question'][] }
  }
  /** Answers a question; the first answer holds, the same again changes nothing. */
  readonly 'POST /api/questions/{id}/answer': {
    readonly path: { readonly id: string }
    readonly body: {
      readonly approved: boolean
      readonly scope?: 'once' | 'session' | 'rule'
      readonly reason?: string
    }
    readonly answer: Shapes['Question']
  }
  /** What the checks of a run have said, in order. */
  readonly 'GET /api/runs/{id}/verdicts': {
    readonly path: { readonly id: string }
    readonly answer: {
      readonly verdicts: readonly {
        readonly sequence: number
        readonly timeMs: number
        readonly verdict: {
          readonly verifier: string
          readonly status: string
          readonly reason: string
          readonly [name: string]: unknown
        }
      }[]
    }
  }
  /** The receipt of a run that has stopped, without the names of git: the service does not look into folders. */
  readonly 'GET /api/runs/{id}/receipt': {
    readonly path: { readonly id: string }
    readonly answer: {
      readonly _type: string
      readonly subject: readonly { readonly name: string; readonly [name: string]: unknown }[]
      readonly predicateType: string
      readonly predicate: {
        readonly runId: string
        readonly digest: string
        readonly [name: string]: unknown
      }
      readonly [name: string]: unknown
    }
  }
  /** The work folder as it is now beside the baseline tree of the run. */
  readonly 'GET /api/runs/{id}/changes': {
    readonly path: { readonly id: string }
    readonly answer:
      | { readonly kind: 'compared'; readonly diff: string; readonly unknown: readonly string[] }
      | { readonly kind: 'not-compared'; readonly reason: string }
  }
  /** Sums over runs; `since` is a span such as 7d, or a day. */
  readonly 'GET /api/insights': {
    readonly query: {
      readonly since?: string
      readonly policy?: string
      readonly model?: string
      readonly label?: string
    }
    readonly answer: Shapes['Insights']
  }
}
