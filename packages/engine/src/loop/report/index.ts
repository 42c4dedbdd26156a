/** What people and programs read of a run: pure functions of its events and its state. */
export { eventLines } from './lines/event-lines.ts'
export type { Line } from './lines/line.ts'
export type { Tone } from '@donecheck/core/internal/state/words'
export { budgetLines } from './lines/budget-lines.ts'
export { finalLine, heldOutWords } from './lines/final-line.ts'
export { explainRun, type Explanation } from './explain.ts'
export type { RunContext } from './explain.ts'
export { timeline } from './lines/timeline.ts'
export { errorResult, interruptedResult, resultLine, type ResultLine } from './result.ts'
export { replyResult, type ReplyResult } from './lines/line.ts'
export { firstLines, harmless, oneLine, plural, seconds } from '@donecheck/core/internal/base'
export { countdownText, waitText } from './lines/budget-lines.ts'
export { verdictLines } from './lines/verdict-lines.ts'

// files for other programs
export { junitReport } from './formats/junit.ts'
export { githubReport } from './formats/github.ts'
export { markdownReport } from './formats/github.ts'
export { xmlElement, xmlText } from './formats/junit.ts'
export type { CheckedReport } from './formats/check-results.ts'

export { tracer, traceLines } from './lines/timeline.ts'
