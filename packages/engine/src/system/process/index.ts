/** Processes of the outside world: started, bounded, read and cleared away. */
export { runProcess, settlesWithin } from './run-process.ts'
export type { ProcessEnd, ProcessRequest, ProcessResult } from './run-process.ts'
export { start as startProcess, whyNotStarted } from './start.ts'
export type { StartRequest } from './start.ts'
export { killAllProcesses, livingGroups, ProcessGroup, standBy } from './group.ts'
export { inheritedEnvironment } from './environment.ts'
export { findProgram } from './find-program.ts'
export { isMarked, isOfSomeDonecheck, processMark } from './mark.ts'
export { listensOn } from './listening-sockets.ts'
export {
  isThread,
  openFilesOf,
  placesOfProcess,
  processTable,
  programOfProcess,
  readProcess,
  systemTicks,
  ticksPerSecond,
  wordsOfProcess,
} from './linux-processes.ts'
export type { ProcessStat } from './linux-processes.ts'
export { listCheckNotes } from './check-notes.ts'
export { isWithinCheck, runningCheck } from './running-check.ts'
export { holderOf, isAlive, thisHolder } from './holder.ts'
export { excerptOf, OutputCollector, showExcerpt } from './excerpt.ts'
export { thisMachine } from './ancestors.ts'
export type { Ancestor, ProcessView } from './ancestors.ts'
