/** Processes of the outside world: started, bounded, read and cleared away. */
export { runProcess } from './run-process.ts'
export type { ProcessEnd, ProcessRequest, ProcessResult } from './run-process.ts'
export type { ProcessCommand } from './start.ts'
export type { StreamName } from './output.ts'
export { killAllProcesses, livingGroups } from './group.ts'
export { inheritedEnvironment, processMark } from './environment.ts'
export { excerptOf, showExcerpt } from './excerpt.ts'
