/** Who is asked: before something runs, and whether it is done. */
export { acceptAll, refuseAll } from './without-asking.ts'
export { fileHuman } from './human-file.ts'
export { interrupted } from './interrupted.ts'
export { visibleLine, visibleText } from './visible.ts'
