export { terminalApprover, terminalName } from './terminal.ts'
export { terminalHuman } from './human-terminal.ts'
export { promptEvent } from './terminal-talk.ts'
