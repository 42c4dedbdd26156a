/** Who is asked: before something runs, and whether it is done. */
export { acceptAll, interrupted, refuseAll } from './without-asking.ts'
export { withdrawQuestions } from './first-answer.ts'
export { detailsOf } from './question-subject.ts'
export { storeApprover } from './store-approver.ts'
export { storeHuman } from './store-human.ts'
export { visibleLine, visibleText } from './visible.ts'
