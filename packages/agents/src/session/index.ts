export { createAgentSession, agentSessionParts } from './create-session.ts'
export { sessionOver, waitsOf } from './session-handler.ts'
export { prepareAct, isOwnPlace, placesOf } from './calls/prepare-call.ts'
export { effectOf, endOf } from './events/facts.ts'
export { chosenSessionOptions } from './session.ts'
export type { AgentSession, AgentSessionChoices, AgentSessionOptions, AgentSessionParts } from './session.ts'

export {
  readSessionFile,
  removeSessionFile,
  sessionFileOf,
  writeSessionFile,
  type SessionConfiguration,
  type SessionFileLocation,
  changeTimeMs,
  hasKnownRecord,
  noteKnownRecord,
} from './settings/session-file.ts'

export {
  SdkSession,
  type EndedCall,
  type ReplyWithCalls,
  type Verification,
  approvalIn,
  askingByItself,
  beginSdkSession,
  mayApprove,
  refusalIn,
  sdkOptions,
  taskIn,
  type SdkOptions,
} from './sdk-session.ts'
export { readRegularFile, replaceFile } from './settings/own-file.ts'
