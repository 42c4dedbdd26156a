/** Tampering: what was done to the checks. Pure: texts and paths in, findings out. */
export type { FileChange, FileVersion } from './change.ts'
export type { Responses, TamperFinding, TamperRule } from './finding.ts'
