/** Which runs may be looked at while rules and numbers are chosen, and which only for the last measurement. */
import { createHash } from 'node:crypto'

export type Half = 'tune' | 'report'

export const halves = ['report', 'tune', 'all'] as const

/** Decided by the run's id alone, so it never moves when data are added. */
export function halfOf(id: string): Half {
  const [first = 0] = createHash('sha256').update(`detector-split-v1:${id}`).digest()
  return first % 2 === 0 ? 'tune' : 'report'
}
