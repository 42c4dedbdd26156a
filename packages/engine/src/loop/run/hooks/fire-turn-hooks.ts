/** The hooks at the joints of a run: its start, its turns, its transitions, its errors, its end. */
import type { RunEvent } from '@donecheck/core/events'
import type { StopTransition, Transition } from '@donecheck/core/transitions'
import { fireHooks } from './fire-hooks.ts'
import type { Session } from '../session/session.ts'
import type { World } from '../session/world.ts'

/** Before the first turn of a new run. */
export async function fireRunStarted(session: Session, world: World): Promise<void> {
  const { task, workFolder } = session.state
  await fireHooks('run_started', { task, workFolder }, session, world)
}

/** A turn is over, and the run goes on or ends. */
export async function fireAfterTurn(transition: Transition, session: Session, world: World): Promise<void> {
  await fireHooks('after_turn', { text: session.state.lastText, transition }, session, world)
  if (transition.kind === 'continue') await fireHooks('on_transition', { transition }, session, world)
}

/** Just before the end is written, so that what the hooks did stands in the record. After a crash in between they are asked again. */
export async function fireAtEnd(transition: StopTransition, session: Session, world: World): Promise<void> {
  // What ended the run must not end its last hooks too: each has its own bound of time.
  const { signal } = new AbortController()
  await fireHooks('on_transition', { transition }, session, world, signal)
  await fireHooks('run_ended', { transition }, session, world, signal)
}

/** For each thing that went wrong in these events; of hooks that fail the pipeline itself tells. */
export async function fireErrors(events: readonly RunEvent[], session: Session, world: World): Promise<void> {
  for (const event of events) {
    const error = errorOf(event)
    if (error !== undefined) await fireHooks('on_error', error, session, world)
  }
}

function errorOf(event: RunEvent): { readonly where: string; readonly message: string } | undefined {
  switch (event.type) {
    case 'model-failed':
      return { where: 'model', message: event.failure.message }
    case 'verdict-given': {
      const { status, verifier, reason } = event.verdict
      return status === 'error' ? { where: `verifier ${verifier}`, message: reason } : undefined
    }
    case 'tool-refused':
      return event.label === 'gate_failed' ? { where: 'gate', message: event.reason } : undefined
    default:
      return undefined
  }
}
