/** An agent that prints what it does, as a drive. */
export { streamedDrive } from './streamed-drive.ts'
export type {
  AgentCall,
  AgentFinding,
  AgentSignal,
  AgentTurn,
  CallAnswer,
  LookedAt,
  TurnEnded,
  TurnStart,
} from './agent-signal.ts'
export { boundText } from './bounds.ts'
export { waitForEnd, programTurn } from './program-turn.ts'
export type { LineTranslator, Noise } from './program-turn.ts'
export { startJsonLines } from './json-lines.ts'
export type { JsonLinesProcess, LinesEnd } from './json-lines.ts'
export type { JsonLine } from './json-line.ts'
export { addUsage, noUsage, usageSince } from './usage.ts'
export { cliDrive, cliDriveKeys, type CliDriveOptions } from './cli-drive.ts'
export { configurationFailure, failedTurn, notBegun, notStarted, withoutColours } from './failures.ts'
export { limitedFailure, networkFailure, providerFailure } from './failures.ts'
export { RecordFile } from './record-file.ts'
export { withSilences } from './silence.ts'
