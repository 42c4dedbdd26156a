/** What the adapters of SDKs let their users choose, and how that becomes a session. */
import type { OptionKeys } from '@donecheck/engine/base'
import type { HostAnswer, ToolActs } from '../../protocol/host/index.ts'
import { createHostedSession } from '../create-session.ts'
import { chosenSessionKeys, type HostedSessionOptions } from '../session.ts'
import { firstSignal, type SdkSessionParts } from './sdk-session.ts'
import { given } from '@donecheck/engine/base'

/** What its adapter says of an SDK itself is left out. */
export interface SdkOptions extends Omit<
  HostedSessionOptions,
  'agent' | 'reportsUsage' | 'reportsCost' | 'silentFailures'
> {
  /** What calls of your tools would do, so that the gate can judge them: `{ shell: ({ command }) => ({ kind: 'command', … }) }`. */
  readonly acts?: ToolActs
}

export const sdkKeys: OptionKeys<SdkOptions> = { ...chosenSessionKeys, sessionId: true, acts: true }

/** Where a claim is all that is told of a run. */
export type ClaimOptions = Omit<HostedSessionOptions, 'agent' | 'sessionId'>

export const claimKeys: OptionKeys<ClaimOptions> = {
  ...chosenSessionKeys,
  reportsUsage: true,
  reportsCost: true,
  silentFailures: true,
}

/**
 * For an `SdkSession`, or for a class on top of it.
 * @param theirs what may be a signal of the host: it aborts as the one of the options does
 * @throws {UsageError} for options that contradict each other or can never work
 */
export async function beginSdkSession(
  agent: string,
  { acts = {}, ...options }: SdkOptions,
  theirs?: unknown,
): Promise<SdkSessionParts> {
  const signal = firstSignal(theirs, options.signal)
  const hostedSession = await createHostedSession({
    ...options,
    ...given({ signal }),
    agent,
    reportsUsage: true,
  })
  return { hostedSession, acts, signal }
}

type PermissionOptions = Pick<HostedSessionOptions, 'gate' | 'approver' | 'onGatePrompt'>

/** A gate without an approver of ours asks by the SDK's own way, unless the user says otherwise. */
export function askingByItself<Options extends PermissionOptions>(options: Options): Options {
  const { gate, approver, onGatePrompt } = options
  const asks = onGatePrompt === undefined && gate !== undefined && approver === undefined
  return asks ? { ...options, onGatePrompt: 'ask' } : options
}

/** The gate or the approver was chosen by the user, so that their yes is the user's yes to the SDK. */
export function mayApprove({ gate, approver }: PermissionOptions): boolean {
  return gate !== undefined || approver !== undefined
}

/** What a model reads in place of the result of a call. Undefined: it may run. */
export function refusalIn(answer: HostAnswer): string | undefined {
  switch (answer.kind) {
    case 'pass':
      return undefined
    case 'refuse':
      return answer.reason
    case 'end':
      return answer.message
    case 'block':
      return answer.feedback
    case 'ask':
      return `not approved: ${answer.reason}`
  }
}

type Approval = { readonly approved: true } | { readonly approved: false; readonly reason: string }

/** To a call that the SDK has suspended. Undefined: it is for somebody else to say. */
export function approvalIn(answer: HostAnswer): Approval | undefined {
  switch (answer.kind) {
    case 'pass':
      return answer.allowed === true ? { approved: true } : undefined
    case 'refuse':
      return { approved: false, reason: answer.reason }
    case 'end':
      return { approved: false, reason: answer.message }
    case 'ask':
    case 'block':
      return undefined
  }
}
