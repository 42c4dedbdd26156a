/** Tampering: what was done to the checks. Pure: texts and paths in, findings out. */
export type { FileChange, FileVersion } from './rules.ts'
export { excusedPaths } from './excused-paths.ts'
export { findRefusedChanges } from './rules.ts'
export { tamperRules, whyOf, type TamperFinding, type TamperRule } from './rules.ts'
export { asksForChance } from './rules.ts'
