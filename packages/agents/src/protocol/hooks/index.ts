export type {
  HookEffect,
  HookProtocol,
  HookRegistration,
  HookReply,
  HostReading,
  Environment,
} from './hook-table.ts'
export { actOf, edits, effectByName, patches, readers, runs, writes, type ActReader } from './acts.ts'
export {
  claudeAnswers,
  claudeFields,
  claudeSample,
  contextFor,
  goalClaim,
  messageToPerson,
  unlessGoal,
} from './claude-shaped.ts'
export { defineHookProtocol } from './define.ts'
