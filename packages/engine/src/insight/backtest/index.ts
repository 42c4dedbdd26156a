export { type Alarm, digestStep, loopWatch, type Watch, type Watcher } from './watches.ts'
export {
  Backtest,
  type BacktestReport,
  type End,
  type PolicyReport,
  replay,
  type Replay,
  type ReplayedRun,
  replayOf,
  replayRun,
  type RunCounts,
  type StopPolicy,
  watcherOf,
} from './replay.ts'
export {
  endIn,
  type EndLevel,
  type FigureScope,
  type Kill,
  medianOf,
  policyFigures,
  type PolicyFigures,
  type Saving,
} from './figures.ts'
