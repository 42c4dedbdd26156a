/**
 * Can a loop be trusted? Scripted agents and small worlds for anybody's loop, Stop hook or gate.
 * @module
 */
export { cases } from './cases.ts'
export type { Act, Case, CaseKind, Claim, World } from './case.ts'
export { runConformance } from './run.ts'
export type { CaseResult, ConformanceOptions } from './run.ts'
export type { Reported, Subject } from './subject.ts'
export type { Problem } from './judge.ts'
export { conformanceJunit, conformanceLine, conformanceTable } from './report.ts'
