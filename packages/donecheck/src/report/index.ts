/** What people and programs read of a run: pure functions of its events and its state. */
export { eventLines } from './event-lines.ts'
export type { Line, Tone } from './line.ts'
export { finalLine } from './final-line.ts'
export { heldOutWords } from './held-out-words.ts'
export { timeline } from './timeline.ts'
export { errorResult, interruptedResult, resultLine } from './result.ts'
export type { ResultLine } from './result.ts'
export { firstLines, harmless, oneLine, plural, seconds } from '../display-text.ts'
export { verdictLines } from './verdict-lines.ts'

// files for other programs
export { junitReport } from './junit.ts'
export { sarifReport } from './sarif.ts'
export type {
  SarifLevel,
  SarifLocation,
  SarifLog,
  SarifResult,
  SarifRule,
  SarifRun,
  SarifSuppression,
  SarifText,
} from './sarif.ts'
export { githubReport } from './github.ts'
export type { GithubReport } from './github.ts'
export { waiverWords } from './checked.ts'
export type { CheckedReport } from './checked.ts'
export { plainText } from './plain-text.ts'

export { tracer, traceLines } from './hook-trace.ts'
