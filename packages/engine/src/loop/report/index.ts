/** What people and programs read of a run: pure functions of its events and its state. */
export { eventLines } from './lines/event-lines.ts'
export type { Line, Tone } from './lines/line.ts'
export { budgetWords, changeWords } from './lines/goal-lines.ts'
export { finalLine } from './lines/final-line.ts'
export { heldOutWords } from './lines/held-out-words.ts'
export { checksOnly, explainRun } from './explain/explain-run.ts'
export type { Explanation } from './explain/explain-run.ts'
export type { RunContext } from './explain/next-steps.ts'
export { timeline } from './lines/timeline.ts'
export { errorResult, interruptedResult, resultLine } from './result.ts'
export { replyResult } from './lines/reply-lines.ts'
export type { ReplyResult } from './lines/reply-lines.ts'
export type { ResultLine } from './result.ts'
export { firstLines, harmless, oneLine, plural, seconds } from '@donecheck/core/base'
export { verdictLines } from './lines/verdict-lines.ts'

// files for other programs
export { junitReport } from './formats/junit.ts'
export { sarifReport } from './formats/sarif.ts'
export { githubReport } from './formats/github.ts'
export type { CheckedReport } from './formats/check-results.ts'

export { tracer, traceLines } from './lines/hook-trace.ts'
