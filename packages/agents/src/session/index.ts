/** One session over a loop that somebody else owns. */
export { createHostedSession, hostedSettings } from './create-session.ts'
export { sessionOver } from './session-handler.ts'
export { prepareAct } from './calls/prepare-call.ts'
export { isOwnPlace, placesOf } from './calls/own-places.ts'
export { effectOf } from './events/bounded-event.ts'
export { chosenSessionKeys } from './session.ts'
export type { HostedSession, HostedSessionChoices, HostedSessionOptions } from './session.ts'
export { endOf } from './events/answers.ts'
export { waitsOf } from './events/waits.ts'

// how the hooks of a project, or of a user, are configured
export {
  readSessionFile,
  removeSessionFile,
  sessionFileOf,
  writeSessionFile,
} from './settings/session-file.ts'
export { readRegularFile, replaceFile } from './settings/own-file.ts'
export type { SessionConfiguration, SessionFileLocation } from './settings/session-file.ts'
export { changeTimeMs, hasKnownRecord, noteKnownRecord } from './settings/known-record.ts'

// what the adapters of SDKs have in common
export { SdkSession, latestVerdicts, verifyClaim } from './sdk/sdk-session.ts'
export type { EndedCall, ReplyWithCalls, Verification } from './sdk/sdk-session.ts'
export {
  approvalIn,
  askingByItself,
  beginSdkSession,
  claimKeys,
  mayApprove,
  refusalIn,
  sdkKeys,
} from './sdk/sdk-options.ts'
export type { ClaimOptions, SdkOptions } from './sdk/sdk-options.ts'
