/** What people and programs read of a run: pure functions of its events and its state. */
export { eventLines } from './event-lines.ts'
export type { Line, Tone } from './line.ts'
export { finalLine } from './final-line.ts'
export { heldOutWords } from './held-out-words.ts'
export { timeline } from './timeline.ts'
export { errorResult, interruptedResult, resultLine } from './result.ts'
export { replyResult } from './reply-lines.ts'
export type { ReplyResult } from './reply-lines.ts'
export type { ResultLine } from './result.ts'
export { firstLines, harmless, oneLine, plural, seconds } from '@donecheck/core/base'
export { verdictLines } from './verdict-lines.ts'

// files for other programs
export { junitReport } from './junit.ts'
export { sarifReport } from './sarif.ts'
export { githubReport } from './github.ts'
export type { CheckedReport } from './checked.ts'

export { tracer, traceLines } from './hook-trace.ts'
