import { randomUUID } from 'node:crypto'
import type { AgentDescription } from '@donecheck/core/internal/events/settings'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { TokenUsage } from '@donecheck/core/internal/budgets'
import { given, messageOf } from '../../../base/index.ts'
import type { Agent, AgentResponse, AgentRequest, ProposedCall } from '../../../ports/loop.ts'
import {
  askModel,
  failureOfBreak,
  noRoom,
  settleUsage,
  type ModelAnswer,
  type ResolvedModel,
  type StreamedCall,
} from '../../../system/models/index.ts'
import { fitPrompt, type Prompt } from './prompt.ts'

interface ModelAgentParts {
  readonly description: AgentDescription
  readonly model: ResolvedModel
  readonly stallTimeoutMs: number
  readonly instructions: string | undefined
}

const charactersPerToken = 3.5

export function buildModelAgent(parts: ModelAgentParts): Agent {
  const { description } = parts
  let calibration = noCalibration
  return {
    description,
    async next(request, signal) {
      const { conversation, tools } = request
      const { contextWindowTokens, maxOutputTokens } = description
      const budget = { maxTokens: contextWindowTokens - maxOutputTokens, calibration }
      const fitted = fitPrompt({ conversation, tools, instructions: parts.instructions }, budget)
      if (fitted.kind === 'no-room')
        return { kind: 'failed', failure: noRoom(fitted.fixedTokens, contextWindowTokens), usage: null }
      const answer = await ask(parts, request, fitted.prompt, signal)
      const usage = usageOf(answer, fitted.prompt, calibration)
      if (usage !== null && answer.reply.reported.inputTokens === usage.inputTokens)
        calibration = recalibrate(calibration, fitted.prompt.estimatedTokens, usage.inputTokens)
      if (answer.brokenBy === undefined) return replyAnswer(answer, request, usage)
      return { kind: 'failed', failure: failureOfBreak(answer.brokenBy, answer, parts), usage }
    },
  }
}

async function ask(
  parts: ModelAgentParts,
  request: AgentRequest,
  prompt: Prompt,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { tools, onText } = request
  const maxOutputTokens = Math.min(request.maxOutputTokens, parts.description.maxOutputTokens)
  const { stallTimeoutMs } = parts
  const { modelFor } = parts.model
  return askModel({ modelFor, prompt, tools, maxOutputTokens, stallTimeoutMs, onText }, signal)
}

/** Null if the provider never accepted the request, so nothing was spent. */
function usageOf({ reply, responded }: ModelAnswer, prompt: Prompt, calibration: number): TokenUsage | null {
  if (!responded) return null
  const inputTokens = Math.ceil(prompt.estimatedTokens * calibration)
  const outputTokens = Math.ceil(reply.writtenCharacters / charactersPerToken)
  return settleUsage(reply.reported, { inputTokens, outputTokens })
}

function replyAnswer(
  { reply }: ModelAnswer,
  { conversation }: AgentRequest,
  usage: TokenUsage | null,
): AgentResponse {
  const taken = new Set(conversation.rounds.flatMap(({ toolCalls }) => toolCalls.map(({ callId }) => callId)))
  const { finish = 'other', problem } = reply.end ?? {}
  return {
    kind: 'replied',
    text: reply.text,
    toolCalls: proposedCalls(reply.calls, taken, () => `call_${randomUUID()}`),
    finish,
    usage,
    ...given({ problem }),
  }
}

/** Ratio of the provider's prompt tokens to our estimate, learned from its latest replies. */

/** Some servers count only uncached tokens, or cut the prompt silently. */
const lowest = 0.8
/** Scripts with a token per character cost 3.5 times the estimate. */
const highest = 4

export const noCalibration = 1

/** Rises at once, because a prompt that is too long is refused; falls by halves. */
export function recalibrate(calibration: number, estimatedTokens: number, realTokens: number): number {
  if (estimatedTokens <= 0) return calibration
  const seen = Math.min(highest, Math.max(lowest, realTokens / estimatedTokens))
  return seen >= calibration ? seen : (seen + calibration) / 2
}

/** Deeper arguments would overflow the stack. */
const maxDepth = 64
/** Ids that every provider accepts. */
const usableId = /^[a-zA-Z0-9_-]{1,64}$/

/** @param taken ids in the conversation @param newId returns an unused id */
export function proposedCalls(
  asked: readonly StreamedCall[],
  taken: ReadonlySet<string>,
  newId: () => string,
): readonly ProposedCall[] {
  const seen = new Set(taken)
  return asked.map((call) => {
    const callId = usableId.test(call.callId) && !seen.has(call.callId) ? call.callId : newId()
    seen.add(callId)
    return { callId, tool: call.tool, ...readArguments(call) }
  })
}

function readArguments({ input, invalid }: StreamedCall): {
  readonly args: JsonValue
  readonly malformed?: string
} {
  if (invalid && typeof input === 'string') {
    const problem = whyNotJson(input)
    if (problem !== undefined) return { args: input, malformed: problem }
  }
  const args = toJson(input, maxDepth)
  return args === undefined
    ? { args: '', malformed: `the arguments are nested deeper than ${maxDepth} levels, or are no JSON` }
    : { args }
}

function whyNotJson(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return `the arguments are no valid JSON: ${messageOf(error)}`
  }
}

function toJson(value: unknown, depth: number): JsonValue | undefined {
  if (value === undefined) return {}
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object' || depth === 0) return undefined
  if (Array.isArray(value)) {
    const entries = value.map((entry: unknown) => toJson(entry, depth - 1))
    return entries.every((entry) => entry !== undefined) ? entries : undefined
  }
  const fields = Object.entries(value).map(([key, entry]) => [key, toJson(entry, depth - 1)] as const)
  const known = fields.flatMap(([key, field]) => (field === undefined ? [] : [[key, field] as const]))
  return known.length === fields.length ? Object.fromEntries(known) : undefined
}
