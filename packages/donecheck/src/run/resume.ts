/** Picks up an unfinished stream: what was announced and never answered is closed first, so that nothing is done twice unseen. */
import { resumableOutcomes, type Prompts } from '../core/index.ts'
import { UsageError } from '../errors.ts'
import type { DriveDescription, RunState, Told } from '../events/index.ts'
import { costOfUsage, guessedUsage } from './reckon.ts'
import type { Session } from './session.ts'

/** @throws {UsageError} for a run that is finished: it may only be looked at */
export function assertResumable(state: RunState): void {
  if (state.phase.kind !== 'stopped') return
  const { outcome, reason, message } = state.phase.transition
  if (resumableOutcomes.includes(outcome)) return
  throw new UsageError(
    `run ${state.runId} is finished (${outcome}, ${reason}: ${message}) and cannot be resumed; start a new run`,
  )
}

/** Wakes the run, then tells what became of the effects that were in flight. */
export async function wake(
  session: Session,
  who: { readonly holder: string; readonly drive: DriveDescription },
  prompts: Prompts,
): Promise<void> {
  await session.tell({ type: 'run-resumed', ...who })
  const facts = fatesOf(session.state, prompts)
  if (facts.length > 0) await session.tell(...facts)
}

function fatesOf(state: RunState, prompts: Prompts): readonly Told[] {
  const { phase } = state
  if (phase.kind === 'calling') return [callBrokenOff(state, prompts)]
  if (phase.kind !== 'acting') return []
  return phase.pending
    .filter(({ announcedAs }) => announcedAs !== undefined)
    .map(({ call }): Told => {
      const output = prompts.toolFateUnknown(call.tool)
      return { type: 'tool-returned', callId: call.callId, status: 'unknown', output }
    })
}

function callBrokenOff(state: RunState, prompts: Prompts): Told {
  const message = 'the process ended while the drive was at work'
  const usage = guessedUsage('', state)
  return {
    type: 'model-failed',
    failure: { kind: 'interrupted', message, retryable: true },
    usage,
    costUsd: costOfUsage(usage, state),
    ...(state.drive.sideEffects ? { notice: prompts.turnInterrupted() } : {}),
  }
}
