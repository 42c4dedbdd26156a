/** Kinds of work to measure drives by: tries in folders of their own, scored by what is left in the end. */
export {
  type Attempt,
  defineEnvironment,
  type Environment,
  type EnvironmentLoop,
  type EnvironmentOptions,
  type FinalState,
  score,
  type Score,
  type ScoreOptions,
  type Worth,
} from './environment.ts'
export { evaluate, type EvaluationOptions, type EvaluationReport, type ScoreSummary } from './evaluate.ts'
export type { ItemResult } from './results.ts'
