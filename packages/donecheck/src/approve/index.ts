/** Who is asked: before something runs, and whether it is done. */
export { acceptAll, refuseAll } from './without-asking.ts'
export { terminalApprover } from './terminal.ts'
export type { TerminalOptions } from './terminal-talk.ts'
export { terminalHuman } from './human-terminal.ts'
export { fileHuman } from './human-file.ts'
export type { HumanFileOptions } from './human-file.ts'
