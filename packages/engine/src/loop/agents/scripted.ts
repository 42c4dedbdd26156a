import type { AgentDescription } from '@donecheck/core/internal/events/settings'
import type { AgentFailure, FinishKind, JsonValue } from '@donecheck/core/internal/events'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import type { Agent, AgentResponse, AgentRequest, ProposedCall } from '../../ports/loop.ts'
import { assertKnownKeys, given, messageOf, optionKeys } from '../../base/index.ts'

export interface ScriptedCall {
  readonly tool: string
  readonly args: JsonValue
}

export interface ScriptedReply {
  readonly text?: string
  readonly tools?: readonly ScriptedCall[]
  /** Default: 100 input and 20 output tokens. Null if unknown. */
  readonly usage?: TokenUsage | null
  readonly finish?: FinishKind
  readonly problem?: string
}

type Replying = string | ScriptedReply

/** Every attempt meets a single failure; a list is used up by attempts, then the reply follows. */
type Failing =
  { readonly fails: AgentFailure } | { readonly fails: readonly AgentFailure[]; readonly then: Replying }

export type ScriptedStep =
  Replying | Failing | ((request: AgentRequest) => Replying | Failing | Promise<Replying | Failing>)

export interface ScriptedOptions {
  /** Repeats the last step at the end. Default: claims that the script is over. */
  readonly repeatLast?: boolean
  /** Overrides of the description, such as prices. */
  readonly description?: Partial<AgentDescription>
}

const scriptedKeys = optionKeys<ScriptedOptions>()('repeatLast description')

const usualDescription: AgentDescription = {
  kind: 'scripted',
  name: 'script',
  sideEffects: false,
  reportsUsage: true,
  prices: { inputPerMillionTokens: 0, outputPerMillionTokens: 0 },
  maxOutputTokens: 4096,
  contextWindowTokens: 128_000,
}

const usualUsage: TokenUsage = { inputTokens: 100, outputTokens: 20, estimated: false }

/** Plays a script, for tests and demos. Stateless: the step follows from `replies` and `attempt`. */
export function scriptedAgent(steps: readonly ScriptedStep[], options: ScriptedOptions = {}): Agent {
  assertKnownKeys(options, scriptedKeys, 'scriptedAgent')
  return {
    description: { ...usualDescription, ...options.description },
    async next(request, signal) {
      if (signal.aborted) return interrupted
      const aborted = Promise.withResolvers<AgentResponse>()
      const onAbort = () => aborted.resolve(interrupted)
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        return await Promise.race([replyAt(steps, request, options.repeatLast ?? false), aborted.promise])
      } catch (error) {
        return brokenScript(request.replies + 1, error)
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
  }
}

async function replyAt(
  steps: readonly ScriptedStep[],
  request: AgentRequest,
  repeatsLast: boolean,
): Promise<AgentResponse> {
  const afterEnd = repeatsLast ? steps.at(-1) : undefined
  const step = steps[request.replies] ?? afterEnd ?? 'The script is over.'
  const said = typeof step === 'function' ? await step(request) : step
  if (typeof said !== 'object' || !('fails' in said)) return reply(said, request)
  if (!('then' in said)) return { kind: 'failed', failure: said.fails, usage: null }
  const failure = said.fails[request.attempt - 1]
  return failure === undefined ? reply(said.then, request) : { kind: 'failed', failure, usage: null }
}

function reply(said: Replying, request: AgentRequest): AgentResponse {
  const scripted: ScriptedReply = typeof said === 'string' ? { text: said } : said
  const { text = '', tools = [], usage = usualUsage, finish, problem } = scripted
  if (text !== '') request.onText(text)
  const toolCalls = tools.map(({ tool, args }, index): ProposedCall => ({
    callId: `call-${request.replies + 1}-${index + 1}`,
    tool,
    args,
  }))
  return {
    kind: 'replied',
    text,
    toolCalls,
    finish: finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop'),
    usage,
    ...given({ problem }),
  }
}

const interrupted: AgentResponse = {
  kind: 'failed',
  failure: { kind: 'interrupted', message: 'the script was interrupted', retryable: true },
  usage: null,
}

function brokenScript(step: number, error: unknown): AgentResponse {
  const thrown = messageOf(error)
  const message = `step ${step} of the script threw: ${thrown}`
  return { kind: 'failed', failure: { kind: 'malformed', message, retryable: false }, usage: null }
}
