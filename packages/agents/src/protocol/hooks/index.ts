/** How agents call their hooks, as tables of what differs from agent to agent. */
export type { HookEffect, HookProtocol, HookRegistration, HookReply, HostReading } from './hook-protocol.ts'
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
export type { Environment } from './hook-table.ts'
export {
  isTrueIn,
  jsonValueOf,
  listIn,
  numberIn,
  payloadOf,
  textIn,
  textOf,
  type Payload,
} from './payload.ts'
