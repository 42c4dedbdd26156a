/** How a session of an agent stands, by our record alone: what the agent said of itself does not count. */
import {
  fold,
  type Outcome,
  type RunState,
  type StopTransition,
  type VerdictStatus,
} from '../../events/index.ts'
import type { HostSession, Store } from '../../ports.ts'

export interface SessionStatus {
  /** Such as `claude-code`. */
  readonly agent: string
  /** The agent's own name of it. */
  readonly session: string
  readonly runId: string
  readonly task: string
  readonly updatedAtMs: number
  /** `verified` only where the required checks have passed; null: the run is open. */
  readonly outcome: Outcome | null
  readonly reason: string | null
  /** What it is doing, as far as we were told. */
  readonly phase: RunState['phase']['kind']
  /** Times in a row for the same open checks, and how often it may be; null: without end. */
  readonly sentBack: { readonly times: number; readonly atMost: number | null }
  readonly checks: readonly CheckStatus[]
}

export interface CheckStatus {
  readonly name: string
  /** Undefined: it was not asked yet. */
  readonly status: VerdictStatus | undefined
  readonly reason: string
}

/** Latest first. A session whose record cannot be read is left out: `list` and `show` tell of it. */
export async function sessionStatuses(store: Store): Promise<readonly SessionStatus[]> {
  const found: SessionStatus[] = []
  for (const session of await store.hostSessions()) {
    const events = await store.read(session.runId)
    const state = fold(events)
    if (state !== undefined) found.push(statusOf(session, state))
  }
  return found
}

function statusOf({ key, updatedAtMs }: HostSession, state: RunState): SessionStatus {
  const slash = key.indexOf('/')
  const end = transitionOf(state)
  return {
    agent: key.slice(0, slash),
    session: key.slice(slash + 1),
    runId: state.runId,
    task: state.task,
    updatedAtMs,
    outcome: end?.outcome ?? null,
    reason: end?.reason ?? null,
    phase: state.phase.kind,
    sentBack: { times: state.sendBacks.times, atMost: state.settings.caps.maxSendBacks },
    checks: Object.entries(state.checks).map(([name, { latest }]) => ({
      name,
      status: latest?.status,
      reason: latest?.reason ?? '',
    })),
  }
}

function transitionOf({ phase }: RunState): StopTransition | undefined {
  return phase.kind === 'stopped' ? phase.transition : undefined
}
