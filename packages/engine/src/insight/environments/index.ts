/** Kinds of work to measure drives by: tries in folders of their own, scored by what is left in the end. */
export { defineEnvironment } from './environment.ts'
export type {
  Attempt,
  Environment,
  EnvironmentLoop,
  EnvironmentOptions,
  FinalState,
  Worth,
} from './environment.ts'
export { evaluate, type EvaluationOptions } from './evaluate.ts'
export type { EvaluationReport, ScoreSummary } from './report.ts'
export type { ItemResult } from './results.ts'
export { score, type Score, type ScoreOptions } from './score.ts'
