import type { TamperFinding } from '../finding.ts'

/** A finding before it has its path. */
export type ConfigFinding = Omit<TamperFinding, 'path'>
