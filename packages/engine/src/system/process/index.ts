export { runProcess, settlesWithin } from './run-process.ts'
export type { ProcessEnd, ProcessRequest, ProcessResult } from './run-process.ts'
export {
  findProgram,
  inheritedEnvironment,
  runVariable,
  start as startProcess,
  whyNotStarted,
} from './start.ts'
export type { StartRequest } from './start.ts'
export { killAllProcesses, livingGroups, ProcessGroup, standBy } from './group.ts'
export { takeLock } from './lock-file.ts'
export { holderOf, isAlive, programOfProcess, readProcess, thisHolder } from './processes.ts'
export type { ProcessStat } from './processes.ts'
export { listCheckNotes } from './check-notes.ts'
export { makeScratchFolder, removeScratchFolder } from './scratch-folder.ts'
export { isWithinCheck, runningCheck } from './running-check.ts'
export { excerptOf, OutputCollector, showExcerpt } from './excerpt.ts'
export { findRepository, runGit, type GitOptions, type Place } from './run-git.ts'
