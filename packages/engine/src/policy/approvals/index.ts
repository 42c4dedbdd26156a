export { acceptAll, interrupted, refuseAll } from './without-asking.ts'
export { detailsOf, storeApprover, storeHuman, withdrawQuestions } from './store-asking.ts'
export { visibleLine, visibleText } from './visible.ts'
