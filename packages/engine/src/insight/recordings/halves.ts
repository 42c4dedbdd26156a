/** Which runs may be looked at while rules and numbers are chosen, and which only for the last measurement. */
import { sha256 } from '../../base/index.ts'

export type Half = 'tune' | 'report'

export const halves = ['report', 'tune', 'all'] as const

/** Decided by the run's id alone, so it never moves when data are added. */
export function halfOf(id: string): Half {
  const first = Number.parseInt(sha256(`detector-split-v1:${id}`).slice(0, 2), 16)
  return first % 2 === 0 ? 'tune' : 'report'
}
