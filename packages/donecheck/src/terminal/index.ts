export { terminalApprover } from './terminal.ts'
export { terminalHuman } from './human-terminal.ts'
