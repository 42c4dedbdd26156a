/** What all external agents have in common: the words in which their adapters speak to the rest. */
export type {
  HostAct,
  HostAnswer,
  HostCall,
  HostEdit,
  HostEvent,
  HostResult,
  HostStop,
} from './host-event.ts'
export type {
  HookEffect,
  HookProtocol,
  HookRegistration,
  HookReply,
  HostReading,
  SamplePlace,
} from './hook-protocol.ts'
export { isUnattended, type OwnProgram, type ToldByWords } from './attended.ts'
export { commandIn, hasShortFlag, hasWord } from './command-words.ts'
export { actOfTool, type ToolActs } from './tool-acts.ts'
export { toldUsage, type ToldCounts } from './told-usage.ts'
export { countField, fieldOf, listField, textField } from './fields.ts'
export { actOf, edits, patches, reads, runs, writes, type ActReader } from './hooks/acts.ts'
export { answerClaudeShaped, effectClaudeShaped, type AnswerDialect } from './hooks/claude-answers.ts'
export { readClaudeShaped, type ClaudeDialect, type Environment } from './hooks/claude-shaped.ts'
export { eventOfWord, goalRegistration, goalSample, withGoalClaim } from './hooks/goal-claim.ts'
export { openPayload, unreadable, type OpenedPayload } from './hooks/opening.ts'
export {
  isTrueIn,
  jsonOf,
  listIn,
  numberIn,
  payloadOf,
  textIn,
  textOf,
  type Payload,
} from './hooks/payload.ts'
export { callEvent, promptIn, readPlain, type PlainDialect } from './hooks/plain-events.ts'
export { asksSomething } from './hooks/question.ts'
export {
  answerIn,
  inBounds,
  isSentBack,
  jsonReply,
  sentBackHeading,
  silence,
  textOfAnswer,
  underHeading,
} from './hooks/replies.ts'
export { streamedDrive } from './stream/streamed-drive.ts'
export type { StreamedDriveOptions } from './stream/streamed-drive.ts'
export type {
  AgentCall,
  AgentFinding,
  AgentSignal,
  AgentTurn,
  CallAnswer,
  LookedAt,
  TurnEnded,
  TurnStart,
} from './stream/agent-signal.ts'
export { linesEndOf, programTurn } from './stream/program-turn.ts'
export type { LineTranslator, Noise } from './stream/program-turn.ts'
export { startJsonLines } from './stream/json-lines.ts'
export type { JsonLinesProcess, LinesEnd } from './stream/json-lines.ts'
export type { JsonLine } from './stream/json-line.ts'
export { addUsage, noUsage, usageSince } from './stream/usage.ts'
export { notBegun, withoutColours } from './stream/not-begun.ts'
export { providerFailure } from './stream/provider-failure.ts'
export { findAgents, findProgram, knownAgents } from './find/find-agents.ts'
export type { AgentProgram, FindOptions, FoundAgent } from './find/find-agents.ts'
export { isSilent } from './stream/silence.ts'
export { hookLine, parseHookLine, type HookCommand } from './hook-command.ts'
export { folderNamed, variableIn } from './named-folder.ts'
export { doubtOfFolder, type FolderTrust } from './folder-trust.ts'
export type {
  CompanionHooks,
  CompanionRequest,
  CompanionText,
  HookSettings,
  ProjectTrust,
  SettingsCompanion,
  SettingsPlace,
  SettingsScope,
} from './hook-settings.ts'
export { readSettings, withHooks, withoutHooks } from './settings-edit.ts'
export type { SettingsText, StandingHook, WantedHook } from './settings-edit.ts'
