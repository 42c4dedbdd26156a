/** Who is asked before something runs. */
export { acceptAll, refuseAll } from './without-asking.ts'
export { terminalApprover } from './terminal.ts'
export type { TerminalOptions } from './terminal.ts'
