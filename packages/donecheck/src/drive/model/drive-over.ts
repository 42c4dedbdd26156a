/** A drive over anything that makes models. Retries are not its business: each try is one call of `next`. */
import { randomUUID } from 'node:crypto'
import type { DriveDescription, DriveFailure, TokenUsage } from '../../events/index.ts'
import type { Drive, DriveAnswer, DriveRequest } from '../../ports.ts'
import { askModel, type BreakCause, type ModelAnswer } from './ask-model.ts'
import { noCalibration, recalibrate } from './calibration.ts'
import { cutOff, failureOf, interrupted, noRoom, stalled } from './failures.ts'
import { readFault } from './fault.ts'
import { fitPrompt, type Prompt } from './fit-prompt.ts'
import { proposedCalls } from './proposed-calls.ts'
import type { ResolvedModel } from './resolve-model.ts'
import { settleUsage } from './usage.ts'

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
      if (fitted.kind === 'no-room') return failed(noRoom(fitted.fixedTokens, contextWindowTokens), null)
      const answer = await ask(parts, request, fitted.prompt, signal)
      const usage = usageOf(answer, fitted.prompt, calibration)
      if (usage !== null && isCounted(answer, usage))
        calibration = recalibrate(calibration, fitted.prompt.estimatedTokens, usage.inputTokens)
      return answer.brokenBy === undefined
        ? replied(answer, request, usage)
        : failed(explain(answer.brokenBy, answer, parts), usage)
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

function replied(
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

function explain(
  cause: BreakCause,
  { responded, asked }: ModelAnswer,
  { model, stallTimeoutMs }: DriveParts,
): DriveFailure {
  switch (cause.kind) {
    case 'interrupted':
      return interrupted
    case 'stalled':
      return stalled(model.name, stallTimeoutMs)
    case 'cut-off':
      return cutOff('the stream ended without saying that it had finished')
    case 'error': {
      const context = {
        model: model.name,
        keyVariable: model.keyVariable,
        responded,
        asked,
        nowMs: Date.now(),
      }
      return withoutKey(failureOf(readFault(cause.error), context), model.apiKey)
    }
  }
}

/** Some providers quote the key that they refuse. */
function withoutKey(failure: DriveFailure, apiKey: string | undefined): DriveFailure {
  if (apiKey === undefined) return failure
  return { ...failure, message: failure.message.replaceAll(apiKey, '***') }
}

function failed(failure: DriveFailure, usage: TokenUsage | null): DriveAnswer {
  return { kind: 'failed', failure, usage }
}
