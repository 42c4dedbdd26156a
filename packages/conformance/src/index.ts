/**
 * Tests a loop, a Stop hook or a CI check with scripted agents in small projects.
 * @module
 */
export { cases } from './cases.ts'
export type { Act, Case, CaseKind, Claim, Scenario } from './case.ts'
export { runConformance } from './run.ts'
export type { CaseResult, ConformanceOptions } from './run.ts'
export type { Reported, Subject } from './subject.ts'
export type { Problem } from './judge.ts'
export { formatJunit, formatResult, buildTable } from './report.ts'
