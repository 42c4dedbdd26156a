import type { Tried } from './trial.ts'

/** What the doctor found of one agent. */
export interface Diagnosis {
  readonly agent: string
  readonly title: string
  readonly isHealthy: boolean
  readonly problems: readonly string[]
  readonly notes: readonly string[]
  readonly installations: readonly DiagnosedInstallation[]
}

export interface DiagnosedInstallation {
  readonly scope: string
  readonly file: string
  readonly trials: readonly Tried[]
  /** Of the slowest hook at a call of a tool, beside a Node that does nothing. */
  readonly slowestRatio: number
}
