import type { RunEvent } from '@donecheck/core/events'
import type { LoopParts } from '../runs/loop-parts.ts'
import type { SealedParts } from './seal.ts'

interface RunAtHand {
  readonly runId: string
  /** Of a new run. Null: it goes on. */
  readonly task: string | null
  readonly past: readonly RunEvent[]
}

/**
 * Written before the first event of a run, or found again. Null: nobody was asked to seal any.
 * @throws {UsageError} where they are not what they were
 */
export async function sealChecksFor(
  { sealing, doors, secrets }: LoopParts,
  { runId, task, past }: RunAtHand,
  signal: AbortSignal,
): Promise<SealedParts | null> {
  if (task !== null) return sealing.write({ runId, task }, { ...doors, secrets }, signal)
  const fact = past.find((event) => event.type === 'checks-sealed')
  return fact === undefined ? null : sealing.reopen(fact, runId)
}

export function withSealed(parts: LoopParts, sealed: SealedParts | null): LoopParts {
  if (sealed === null) return parts
  const { settings, doors } = parts
  const descriptions = sealed.verifiers.map(({ description }) => description)
  return {
    ...parts,
    settings: { ...settings, verifiers: [...settings.verifiers, ...descriptions] },
    // Its guard lays the sealed files, and no other guard can: what decides stays as it is.
    doors: {
      ...doors,
      moreChecks: null,
      guard: sealed.guard,
      verifiers: [...doors.verifiers, ...sealed.verifiers],
    },
  }
}
