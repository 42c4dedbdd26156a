export type {
  HookEffect,
  HookProtocol,
  HookRegistration,
  HookReply,
  HostReading,
  Environment,
  ActReader,
} from './hook-table.ts'
export { actOf, edits, effectByName, patches, readers, runs, writes, defineHookProtocol } from './define.ts'
export {
  claudeAnswers,
  claudeFields,
  claudeSample,
  contextFor,
  goalClaim,
  messageToPerson,
  unlessGoal,
} from './claude-shaped.ts'
