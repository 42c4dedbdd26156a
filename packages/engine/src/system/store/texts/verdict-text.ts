/** A verdict as it is remembered: one JSON text that only comes back as the verdict that went in. */
import { createHash } from 'node:crypto'
import { currentSchemaVersion, problemOfFact } from '@donecheck/core/events'
import type { Verdict } from '@donecheck/core/verdicts'
import type { VerifierYield } from '../../../ports/store.ts'
import { parseEventText } from './event-text.ts'

/** So many verdicts are remembered; then the oldest are forgotten. */
export const maxRemembered = 10_000

/** Wrapped as the fact it was, so that the door for stored facts checks it, and lifts it when it is old. */
export function verdictText(verdict: Verdict): string {
  const header = { schemaVersion: currentSchemaVersion, id: '', runId: '', sequence: 1, timeMs: 0 }
  return JSON.stringify({ ...header, type: 'verdict-given', verdict })
}

/** Undefined for whatever is not exactly a verdict: to ask again is always right. */
export function verdictOfText(text: string): Verdict | undefined {
  const parsed = parseEventText(text)
  if (parsed.kind === 'invalid' || parsed.event.type !== 'verdict-given') return undefined
  return parsed.event.verdict
}

/** SHA-256, hex: against accidental damage, not against whoever can write the store. */
export function digestOfEntry(keyText: string, verdictJson: string): string {
  return createHash('sha256').update(`${keyText}\n${verdictJson}`).digest('hex')
}

/** @throws {TypeError} for a verdict that could not be read again: a program that remembers it is wrong */
export function assertVerdict(verdict: Verdict): void {
  const problem = problemOfFact({ type: 'verdict-given', verdict })
  if (problem !== undefined)
    throw new TypeError(`the verdict of ${verdict.verifier} cannot be kept: ${problem}; give a whole verdict`)
}

export function byVerifier(one: VerifierYield, other: VerifierYield): number {
  return one.verifier < other.verifier ? -1 : 1
}
