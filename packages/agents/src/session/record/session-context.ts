import type { DriveDescription } from '@donecheck/core/settings'
import type { RunEvent } from '@donecheck/core/events'
import type { StopTransition } from '@donecheck/core/transitions'
import type { Session, World } from '@donecheck/engine/run'
import type { Drive, OwnTool } from '@donecheck/engine/ports/loop'
import type { SessionMemory } from './memory.ts'
import type { Engine, HostedSessionParts, SessionWorld } from '../session-parts.ts'

/** Where one event of the host is taken up: the run as it stands, and what may be done about it. */
export interface SessionContext {
  readonly parts: HostedSessionParts
  readonly session: Session
  /** As it will be kept with the next facts. */
  memory: SessionMemory
  /** What was recorded while this event was taken up. */
  readonly recorded: RunEvent[]
  /** Aborts a verification. */
  readonly signal: AbortSignal
  world(): Promise<SessionWorld>
}

/** For the few facts that change nothing in the run. */
export function remember(context: SessionContext, memory: Partial<SessionMemory>): void {
  context.memory = { ...context.memory, ...memory }
}

/** Stands for the host: it is told what to do through the answers of the hosted session, and is never asked for a step. */
export function hostDrive(description: DriveDescription, tool?: OwnTool): Drive {
  return {
    description,
    next: () => Promise.reject(new TypeError('a host that owns its loop is not asked for its next step')),
    own: {
      toolOf: () => tool,
      refuse: () => Promise.resolve(),
      cancel: () => Promise.resolve(),
    },
  }
}

/** What the engine needs of the world for what is just to be done. */
export async function buildWorld(
  context: SessionContext,
  signal = context.signal,
): Promise<{ readonly world: World; readonly engine: Engine }> {
  const { doors, engine } = await context.world()
  const { session, parts, recorded } = context
  // Between two events of the host only the state is remembered; checks may ask for all that has happened.
  const past = await parts.store.read(session.runId)
  const inPast = recorded.length
  const world: World = {
    ...doors,
    drive: hostDrive(session.state.drive),
    tools: [],
    signal: AbortSignal.any([signal, parts.signal]),
    history: () => [...past, ...recorded.slice(inPast)],
  }
  return { world, engine }
}

/** The run ends without a verification. */
export async function stopUnverified(
  context: SessionContext,
  end: Pick<StopTransition, 'reason' | 'outcome' | 'message'>,
): Promise<void> {
  const { world, engine } = await buildWorld(context)
  const transition: StopTransition = { kind: 'stop', ...end, findings: [], verdicts: [] }
  await engine.perform({ kind: 'stop', transition }, context.session, world)
}
