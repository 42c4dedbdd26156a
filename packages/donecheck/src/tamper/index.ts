/** Tampering: what was done to the checks. Pure: texts and paths in, findings out. */
export type { FileChange, FileVersion } from './change.ts'
export type { Responses, TamperFinding, TamperRule } from './finding.ts'
export { inspectChanges } from './inspect-changes.ts'
export { hasScriptName, mayChange, programsNamedIn, protectionOf, scriptsNamedIn } from '../protect/index.ts'
export type { Protection, ProtectOptions } from '../protect/index.ts'
export { defaultResponses, isFreeable, responseTo, tamperRules, whyOf } from './responses.ts'
export { restoredText } from './restored-text.ts'
