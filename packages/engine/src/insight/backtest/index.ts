export { type Alarm, digestStep, loopWatch, type Watch, type Watcher } from './watches.ts'
export {
  type End,
  replay,
  type Replay,
  type ReplayedRun,
  replayOf,
  replayRun,
  type StopPolicy,
  watcherOf,
} from './replay.ts'
export { Backtest, type BacktestReport, type PolicyReport, type RunCounts } from './backtest.ts'
export { medianOf, policyFigures, type PolicyFigures, type Saving } from './figures.ts'
