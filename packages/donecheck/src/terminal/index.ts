export { terminalApprover, terminalName } from './terminal.ts'
export { terminalHuman } from './terminal.ts'
export { promptEvent } from './terminal-talk.ts'
