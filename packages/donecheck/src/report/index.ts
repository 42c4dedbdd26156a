/** What people and programs read of a run: pure functions of its events and its state. */
export { eventLines } from './event-lines.ts'
export type { Line, Tone } from './event-lines.ts'
export { finalLine } from './final-line.ts'
export { timeline } from './timeline.ts'
export { errorResult, interruptedResult, resultLine } from './result.ts'
export type { ResultLine } from './result.ts'
export { firstLines, harmless, oneLine, plural, seconds } from './text.ts'
