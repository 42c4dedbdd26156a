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
