/** A hosted session as hooks of the Claude Agent SDK: the same words as those of the command, without a process. */
import { z } from 'zod'
import type { HostAnswer, HostEvent } from '../../../protocol/host/index.ts'
import type { HostedSession } from '../../../session/index.ts'
import { claudeCodeHooks } from '../hooks.ts'
import { assertKnownKeys, optionKeys, messageOf } from '@donecheck/engine/base'

/** As much of the SDK's `HookCallback` as is used. */
export type SdkHook = (
  input: unknown,
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<Record<string, unknown>>

export interface SdkHookMatcher {
  hooks: SdkHook[]
  /** Seconds. */
  timeout?: number
}

export interface SdkHooksOptions {
  /** Seconds that a verification may take; the SDK lets an agent go whose hook is late, so it must be enough. Default 3600. */
  readonly verificationTimeoutSeconds?: number
}

const sdkHooksKeys = optionKeys<SdkHooksOptions>()('verificationTimeoutSeconds')

/** What the hooks have learned beside their answers. */
export interface SessionHooks {
  /** For `query({ options: { hooks } })`; its own hooks stand beside them. */
  readonly hooks: Record<string, SdkHookMatcher[]>
  /** Names of the calls that our gate, or whoever it has asked, has said yes to. */
  readonly allowed: ReadonlySet<string>
}

const answerText = z.record(z.string(), z.unknown())
/** So often in a row a claim is held because we could not even ask; then it is allowed to stop, and the end is not verified. */
const maxOwnFailures = 3

/** Never throw: the SDK takes a hook that throws for one that lets pass. */
export function hooksOver(hostedSession: HostedSession, options: SdkHooksOptions = {}): SessionHooks {
  assertKnownKeys(options, sdkHooksKeys, 'hooksOver')
  const { verificationTimeoutSeconds = 3600 } = options
  const allowed = new Set<string>()
  let failures = 0
  const observe = async (event: HostEvent, signal: AbortSignal): Promise<HostAnswer> => {
    try {
      const answer = await hostedSession.observe(event, signal)
      failures = 0
      if (event.kind === 'tool-proposed' && answer.kind === 'pass' && answer.allowed === true)
        allowed.add(event.call.callId)
      return answer
    } catch (error) {
      failures += 1
      return withoutAnswer(event, error, failures)
    }
  }
  const hooks = claudeCodeHooks.registrations.map(({ event, verifies }): [string, SdkHookMatcher[]] => [
    event,
    [
      {
        hooks: [
          (input, _toolUseId, { signal }) =>
            answerHookEvent(event, input, (reported) => observe(reported, signal)),
        ],
        ...(verifies === true ? { timeout: verificationTimeoutSeconds } : {}),
      },
    ],
  ])
  return { hooks: Object.fromEntries(hooks), allowed }
}

async function answerHookEvent(
  event: string,
  input: unknown,
  observe: (event: HostEvent) => Promise<HostAnswer>,
): Promise<Record<string, unknown>> {
  const reading = claudeCodeHooks.read(event, input, {})
  const answer: HostAnswer =
    reading.kind === 'read'
      ? await observe(reading.event)
      : { kind: 'pass', notice: `donecheck could not read ${event}: ${reading.problem}` }
  const { stdout } = claudeCodeHooks.answer(event, answer)
  return stdout === '' ? {} : answerText.parse(JSON.parse(stdout))
}

/** At a claim and before a call nothing is let pass because we have failed; elsewhere there is nothing to hold. */
function withoutAnswer(event: HostEvent, error: unknown, failures: number): HostAnswer {
  const problem = messageOf(error)
  const notice = `donecheck failed: ${problem}`
  if (event.kind === 'tool-proposed') return { kind: 'refuse', reason: notice }
  if (event.kind !== 'stopping' || failures > maxOwnFailures) return { kind: 'pass', notice }
  return { kind: 'block', feedback: `Nothing could be checked: ${problem}`, notice }
}
