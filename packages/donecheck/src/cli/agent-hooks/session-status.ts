/** How a session of an agent stands, by our record alone: what the agent said of itself does not count. */
import { fold, type RunState } from '@donecheck/core/state'
import type { Outcome } from '@donecheck/core/transitions'
import type { VerdictStatus } from '@donecheck/core/verdicts'
import type { HostSession, Store } from '@donecheck/engine/ports/store'
import { endOf, waitsOf } from '@donecheck/agents/session'

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
  /** What its agent waits for, in words; empty: it does not. */
  readonly waitsFor: readonly string[]
  /** Times in a row without a better score than ever, and how often it may be; null: without end. */
  readonly blockedStops: { readonly times: number; readonly atMost: number | null }
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
  for (const { key, runId } of await store.hostSessions()) {
    const state = fold(await store.read(runId))
    const session = await store.hostSession(key)
    if (state !== undefined && session !== undefined) found.push(statusOf(session, state))
  }
  return found
}

function statusOf(session: HostSession, state: RunState): SessionStatus {
  const { key, updatedAtMs } = session
  const slash = key.indexOf('/')
  const end = endOf(state)
  return {
    agent: key.slice(0, slash),
    session: key.slice(slash + 1),
    runId: state.runId,
    task: state.task,
    updatedAtMs,
    outcome: end?.outcome ?? null,
    reason: end?.reason ?? null,
    phase: state.phase.kind,
    waitsFor: end === undefined ? waitsOf(session) : [],
    blockedStops: { times: state.blockedStops, atMost: state.settings.caps.maxBlockedStops },
    checks: Object.entries(state.checks).map(([name, { latest }]) => ({
      name,
      status: latest?.status,
      reason: latest?.reason ?? '',
    })),
  }
}
