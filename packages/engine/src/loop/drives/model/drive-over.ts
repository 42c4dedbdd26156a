/** A drive over anything that makes models. Retries are not its business: each try is one call of `next`. */
import { randomUUID } from 'node:crypto'
import type { DriveDescription } from '@donecheck/core/settings'
import type { DriveFailure } from '@donecheck/core/events'
import type { TokenUsage } from '@donecheck/core/budgets'
import type { Drive, DriveAnswer, DriveRequest } from '../../../ports/loop.ts'
import {
  askModel,
  failureOfBreak,
  noRoom,
  settleUsage,
  type ModelAnswer,
  type ResolvedModel,
} from '../../../system/models/index.ts'
import { noCalibration, recalibrate } from './calibration.ts'
import { fitPrompt, type Prompt } from './fit-prompt.ts'
import { proposedCalls } from './proposed-calls.ts'

/** A provider that sends nothing for so long is given up for this try. */
export const defaultStallTimeoutMs = 120_000

export interface DriveParts {
  readonly description: DriveDescription
  readonly model: ResolvedModel
  readonly stallTimeoutMs: number
  /** Further instructions of the user. */
  readonly instructions: string | undefined
}

/** Of text that is not kept, as in `estimateTokens`. */
const charactersPerToken = 3.5

export function driveOver(parts: DriveParts): Drive {
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
        return failedAnswer(noRoom(fitted.fixedTokens, contextWindowTokens), null)
      const answer = await ask(parts, request, fitted.prompt, signal)
      const usage = usageOf(answer, fitted.prompt, calibration)
      if (usage !== null && isCounted(answer, usage))
        calibration = recalibrate(calibration, fitted.prompt.estimatedTokens, usage.inputTokens)
      return answer.brokenBy === undefined
        ? replyAnswer(answer, request, usage)
        : failedAnswer(failureOfBreak(answer.brokenBy, answer, parts), usage)
    },
  }
}

async function ask(
  parts: DriveParts,
  request: DriveRequest,
  prompt: Prompt,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { tools, onText } = request
  const maxOutputTokens = Math.min(request.maxOutputTokens, parts.description.maxOutputTokens)
  const { stallTimeoutMs } = parts
  const { modelFor } = parts.model
  return askModel({ modelFor, prompt, tools, maxOutputTokens, stallTimeoutMs, onText }, signal)
}

/** Null where the provider never accepted the request: then nothing was spent. */
function usageOf({ reply, responded }: ModelAnswer, prompt: Prompt, calibration: number): TokenUsage | null {
  if (!responded) return null
  const inputTokens = Math.ceil(prompt.estimatedTokens * calibration)
  const outputTokens = Math.ceil(reply.writtenCharacters / charactersPerToken)
  return settleUsage(reply.reported, { inputTokens, outputTokens })
}

function isCounted({ reply }: ModelAnswer, usage: TokenUsage): boolean {
  return reply.reported.inputTokens === usage.inputTokens
}

function replyAnswer(
  { reply }: ModelAnswer,
  { conversation }: DriveRequest,
  usage: TokenUsage | null,
): DriveAnswer {
  const taken = new Set(conversation.rounds.flatMap(({ toolCalls }) => toolCalls.map(({ callId }) => callId)))
  const { finish = 'other', problem } = reply.end ?? {}
  return {
    kind: 'replied',
    text: reply.text,
    toolCalls: proposedCalls(reply.calls, taken, () => `call_${randomUUID()}`),
    finish,
    usage,
    ...(problem === undefined ? {} : { problem }),
  }
}

function failedAnswer(failure: DriveFailure, usage: TokenUsage | null): DriveAnswer {
  return { kind: 'failed', failure, usage }
}
