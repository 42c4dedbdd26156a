/**
 * The two halves of the recorded runs: rules and numbers are chosen on `tune`, and `report` is looked at for the last
 * measurement only.
 */
import { sha256 } from '@donecheck/engine/internal/base'

export type Half = 'tune' | 'report'

export const halves = ['report', 'tune', 'all'] as const

/** The run's id alone decides, so a run never changes sides when data are added. */
export function halfOf(id: string): Half {
  const first = Number.parseInt(sha256(`detector-split-v1:${id}`).slice(0, 2), 16)
  return first % 2 === 0 ? 'tune' : 'report'
}
