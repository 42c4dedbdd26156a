/** Rows of checks, columns of verifications. */
import type { RunEvent, VerificationTrigger } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import type { Verdict } from '@donecheck/core/verdicts'

export interface Verification {
  /** Of the event that begins it. */
  readonly sequence: number
  readonly turn: number
  readonly trigger: VerificationTrigger
  /** By name of the verifier. */
  readonly verdicts: Map<string, { readonly verdict: Verdict; readonly sequence: number }>
}

export function foldVerification(verifications: Verification[], event: RunEvent, turn: number): void {
  if (event.type === 'verification-started')
    verifications.push({ sequence: event.sequence, turn, trigger: event.trigger, verdicts: new Map() })
  if (event.type === 'verdict-given')
    verifications
      .at(-1)
      ?.verdicts.set(event.verdict.verifier, { verdict: event.verdict, sequence: event.sequence })
}

export interface CheckRow {
  readonly name: string
  readonly required: boolean
  readonly role: string
}

/** Of a run: as it was started, then those that came later. */
export function checkRows(
  state: RunState | undefined,
  verifications: readonly Verification[],
): readonly CheckRow[] {
  const known = (state?.settings.verifiers ?? []).map(({ name, required, role }) => ({
    name,
    required,
    role,
  }))
  const names = new Set(known.map(({ name }) => name))
  const others = new Set(verifications.flatMap(({ verdicts }) => [...verdicts.keys()]))
  return [
    ...known,
    ...[...others]
      .filter((name) => !names.has(name))
      .map((name) => ({ name, required: false, role: 'check' })),
  ]
}
