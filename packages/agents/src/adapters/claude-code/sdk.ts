import { z } from 'zod'
import {
  assertKnownKeys,
  assertOptions,
  type OptionShape,
  given,
  optionKeys,
  messageOf,
} from '@donecheck/engine/internal/base'
import {
  chosenSessionOptions,
  createAgentSession,
  SdkSession,
  type AgentSession,
  type AgentSessionOptions,
  type Verification,
} from '../../session/index.ts'
import { isTrueIn, textIn, type HostAnswer, type HostEvent } from '../../protocol/host/index.ts'
import { claudeCodeHooks } from './hooks.ts'

export type SdkQuery<Message> = (call: {
  prompt: string
  options: Record<string, unknown>
}) => AsyncIterable<Message>

export interface VerifiedQueryOptions extends Omit<
  AgentSessionOptions,
  'agent' | 'reportsUsage' | 'reportsCost'
> {
  /** Seconds for the checks at a claim. Default 3600. */
  readonly verificationTimeoutSeconds?: number
}

const verifiedQueryOptions = z.strictObject<OptionShape<VerifiedQueryOptions>>({
  ...chosenSessionOptions.shape,
  sessionId: z.string().optional(),
  silentFailures: z.boolean().optional(),
  verificationTimeoutSeconds: z.number().positive().optional(),
})

export interface QueryVerification extends Verification {
  /** Null if the SDK reported none. */
  readonly sessionId: string | null
}

export interface VerifiedQuery<Message> extends AsyncIterable<Message> {
  readonly verification: Promise<QueryVerification>
}

/**
 * Verifies a query through hooks, and runs the checks again afterwards, because a program can skip hooks.
 * @param call receives its options with our hooks added
 */
export function verifiedQuery<Message>(
  query: SdkQuery<Message>,
  call: { readonly prompt: string; readonly options?: Readonly<Record<string, unknown>> },
  options: VerifiedQueryOptions,
): VerifiedQuery<Message> {
  assertOptions(verifiedQueryOptions, options, 'verifiedQuery')
  const { verificationTimeoutSeconds, ...choices } = options
  const { promise, resolve, reject } = Promise.withResolvers<QueryVerification>()
  // A caller that reads only the messages sees the failure there.
  promise.catch(() => undefined)
  return {
    verification: promise,
    async *[Symbol.asyncIterator]() {
      const agentSession = await createAgentSession({ ...choices, agent: 'claude-agent-sdk' })
      const session = new SdkSession({ agentSession, signal: options.signal })
      const watched: Watched = { sessionId: null, problem: undefined }
      try {
        const ours = hooksOver(agentSession, given({ verificationTimeoutSeconds }))
        let { prompt } = call
        await session.recordPrompt(prompt)
        while (agentSession.end === undefined) {
          const resume = watched.sessionId === null ? {} : { resume: watched.sessionId }
          const queryOptions = { ...call.options, ...resume, ...withOurs(call.options, ours) }
          watched.problem = undefined
          yield* watchedTurn(query({ prompt, options: queryOptions }), watched)
          const feedback = await verifyAgain(session, watched.problem)
          if (feedback === undefined) break
          prompt = feedback
        }
        if (agentSession.end === undefined) await session.over()
        resolve({ ...session.verification(), sessionId: watched.sessionId })
      } catch (error) {
        await session.over().catch(() => undefined)
        reject(error)
        throw error
      }
    },
  }
}

interface Watched {
  sessionId: string | null
  problem: string | undefined
}

/** An erroneous turn reports the error in its last message, then the SDK throws it again. */
async function* watchedTurn<Message>(
  messages: AsyncIterable<Message>,
  watched: Watched,
): AsyncGenerator<Message> {
  try {
    for await (const message of messages) {
      watch(message, watched)
      yield message
    }
  } catch (error) {
    if (watched.problem === undefined) throw error
  }
}

/** Checks a query that ended with a problem. @returns undefined if nothing remains to say */
async function verifyAgain(session: SdkSession, problem: string | undefined): Promise<string | undefined> {
  if (session.agentSession.end !== undefined || session.isAborted) return undefined
  const feedback = await session.verifyTurnEnd(problem === undefined ? '' : `The query ended: ${problem}`)
  return problem === undefined ? feedback : undefined
}

function withOurs(
  options: Readonly<Record<string, unknown>> | undefined,
  { hooks, allowed }: SessionHooks,
): Record<string, unknown> {
  const theirs = z.record(z.string(), z.array(z.custom<SdkHookMatcher>())).catch({}).parse(options?.['hooks'])
  const events = new Set([...Object.keys(theirs), ...Object.keys(hooks)])
  const merged = [...events].map((event) => [event, [...(hooks[event] ?? []), ...(theirs[event] ?? [])]])
  const isAsked = options?.['permissionMode'] !== 'bypassPermissions' && options?.['canUseTool'] === undefined
  return { hooks: Object.fromEntries(merged), ...(isAsked ? { canUseTool: permission(allowed) } : {}) }
}

/** Where the SDK would ask its user, allows only what our gate or approver allowed. */
function permission(allowed: ReadonlySet<string>) {
  return async (_tool: string, input: unknown, { toolUseID }: { readonly toolUseID?: string }) =>
    toolUseID !== undefined && allowed.has(toolUseID)
      ? { behavior: 'allow', updatedInput: input }
      : { behavior: 'deny', message: 'Nobody has allowed this call: neither a rule nor a person.' }
}

function watch(message: unknown, watched: Watched): void {
  watched.sessionId = textIn(message, 'session_id') ?? watched.sessionId
  if (textIn(message, 'type') !== 'result') return
  const subtype = textIn(message, 'subtype')
  const isGood = subtype === 'success' && !isTrueIn(message, 'is_error')
  const problem = `${subtype ?? 'error'}: ${textIn(message, 'result') ?? ''}`.slice(0, 500)
  watched.problem = isGood ? undefined : problem
}

export type SdkHook = (
  input: unknown,
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<Record<string, unknown>>

export interface SdkHookMatcher {
  hooks: SdkHook[]
  /** In seconds. */
  timeout?: number
}

export interface SdkHooksOptions {
  /** Seconds for a verification. The SDK lets an agent go if its hook is late. Default 3600. */
  readonly verificationTimeoutSeconds?: number
}

const sdkHooksKeys = optionKeys<SdkHooksOptions>()('verificationTimeoutSeconds')

export interface SessionHooks {
  readonly hooks: Record<string, SdkHookMatcher[]>
  readonly allowed: ReadonlySet<string>
}

const answerText = z.record(z.string(), z.unknown())
/** Consecutive internal failures that block a claim; then the agent may stop, unverified. */
const maxOwnFailures = 3

/** Never throws: the SDK treats a hook that throws as a pass. */
export function hooksOver(agentSession: AgentSession, options: SdkHooksOptions = {}): SessionHooks {
  assertKnownKeys(options, sdkHooksKeys, 'hooksOver')
  const { verificationTimeoutSeconds = 3600 } = options
  const allowed = new Set<string>()
  let failures = 0
  const observe = async (event: HostEvent, signal: AbortSignal): Promise<HostAnswer> => {
    try {
      const answer = await agentSession.observe(event, signal)
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

/** A claim or a call is refused if donecheck fails; at other events nothing can be blocked. */
function withoutAnswer(event: HostEvent, error: unknown, failures: number): HostAnswer {
  const problem = messageOf(error)
  const notice = `donecheck failed: ${problem}`
  if (event.kind === 'tool-proposed') return { kind: 'refuse', reason: notice }
  if (event.kind !== 'stopping' || failures > maxOwnFailures) return { kind: 'pass', notice }
  return { kind: 'block', feedback: `Nothing could be checked: ${problem}`, notice }
}
