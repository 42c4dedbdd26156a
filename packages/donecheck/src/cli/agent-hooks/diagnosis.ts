import type { Tried } from './trial.ts'

/** What the doctor found of one agent. */
export interface Diagnosis {
  readonly agent: string
  readonly title: string
  /** Null: it is not here, or does not say. */
  readonly version: string | null
  /** Hooks of ours stand in its settings, or should stand there. */
  readonly isInstalled: boolean
  readonly isHealthy: boolean
  readonly problems: readonly string[]
  readonly notes: readonly string[]
  readonly installations: readonly DiagnosedInstallation[]
}

export interface DiagnosedInstallation {
  readonly scope: string
  readonly file: string
  readonly trials: readonly Tried[]
  /** Of the slowest hook at a call of a tool, beside a Node that does nothing; null: none could be timed. */
  readonly slowestRatio: number | null
}
