import type { TokenUsage } from '@donecheck/core/internal/budgets'
import type { FinishKind, JsonValue } from '@donecheck/core/internal/events'
import type {
  JSONSchema7,
  LanguageModelMiddleware,
  LanguageModelUsage,
  ModelMessage,
  TextStreamPart,
  ToolSet,
} from 'ai'
import { given } from '../../base/index.ts'
import type { ToolDescription } from '../../ports/loop.ts'
import type { Model } from './resolve-model.ts'

export interface ModelRequest extends Omit<StreamRequest, 'model'> {
  readonly modelFor: (fetch: typeof globalThis.fetch) => Model
  readonly stallTimeoutMs: number
  readonly onText: (piece: string) => void
}

export interface ModelAnswer {
  readonly reply: Reply
  /** Undefined if the reply is whole. */
  readonly brokenBy: BreakCause | undefined
  readonly responded: boolean
}

export type BreakCause =
  | { readonly kind: 'interrupted' | 'stalled' | 'cut-off' }
  | { readonly kind: 'error'; readonly error: unknown }

/** Characters per token at which a server that ignores the reply limit is stopped. */
const charactersPerToken = 32

export async function askModel(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
  const watch = startWatch(request.stallTimeoutMs)
  const stop = AbortSignal.any([signal, watch.signal])
  const progress: Progress = { reply: emptyReply }
  let brokenBy: BreakCause | undefined
  try {
    stop.throwIfAborted()
    const model = request.modelFor(watchFetch(watch))
    brokenBy = await readStream(await openStream({ ...request, model }, stop), request, progress, watch)
  } catch (error) {
    brokenBy = { kind: 'error', error }
  } finally {
    watch.stop()
  }
  const cause = brokenBy === undefined ? undefined : firstCause(brokenBy, signal, watch)
  return { reply: progress.reply, brokenBy: cause, responded: watch.hasResponded() }
}

interface Progress {
  reply: Reply
}

/** After an abort, provider errors only echo it. */
function firstCause(cause: BreakCause, signal: AbortSignal, watch: Watch): BreakCause {
  if (signal.aborted) return { kind: 'interrupted' }
  return watch.signal.aborted ? { kind: 'stalled' } : cause
}

async function readStream(
  stream: ReadableStream<Part>,
  { onText, maxOutputTokens }: ModelRequest,
  progress: Progress,
  watch: Watch,
): Promise<BreakCause | undefined> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const next = await reader.read()
      if (next.done) return { kind: 'cut-off' }
      const part = next.value
      if (part.type === 'abort') return { kind: 'interrupted' }
      if (part.type === 'error') return { kind: 'error', error: part.error }
      // `start` comes from the SDK, before the request.
      if (part.type !== 'start') watch.touch()
      progress.reply = extend(progress.reply, part)
      if (part.type === 'finish-step')
        return progress.reply.end === undefined ? { kind: 'cut-off' } : undefined
      if (part.type === 'text-delta') show(part.text, onText)
      if (progress.reply.writtenCharacters > maxOutputTokens * charactersPerToken) {
        progress.reply = { ...progress.reply, end: { finish: 'length' } }
        return undefined
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

/** Ignores listener errors: chunks are only for display. */
function show(piece: string, onText: (piece: string) => void): void {
  try {
    onText(piece)
  } catch {
    return
  }
}

interface StreamRequest {
  readonly model: Model
  readonly prompt: { readonly instructions: string; readonly messages: ModelMessage[] }
  readonly tools: readonly ToolDescription[]
  readonly maxOutputTokens: number
  /** The model's own default applies if this is absent. */
  readonly temperature?: number
}

/** One step without retries or SDK-run tools. Errors arrive as stream parts; nothing is printed. */
async function openStream(request: StreamRequest, signal: AbortSignal): Promise<ReadableStream<Part>> {
  const { streamText, wrapLanguageModel } = await import('ai')
  const { prompt, tools, temperature } = request
  const { stream } = streamText({
    model: wrapLanguageModel({ model: request.model, middleware: quiet }),
    instructions: prompt.instructions,
    messages: prompt.messages,
    ...(tools.length === 0 ? {} : { tools: await toolSet(tools) }),
    maxOutputTokens: request.maxOutputTokens,
    ...(temperature === undefined ? {} : { temperature }),
    maxRetries: 0,
    abortSignal: signal,
    onError: () => undefined,
  })
  return stream
}

async function toolSet(tools: readonly ToolDescription[]): Promise<ToolSet> {
  const { jsonSchema } = await import('ai')
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      { description, inputSchema: jsonSchema(isSchema(parameters) ? parameters : { type: 'object' }) },
    ]),
  )
}

function isSchema(value: JsonValue): value is JsonValue & JSONSchema7 {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Hides provider warnings from the SDK, which would print them. */
const quiet: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  wrapStream: async ({ doStream }) => {
    const result = await doStream()
    type ModelPart = typeof result.stream extends ReadableStream<infer Chunk> ? Chunk : never
    const silence = new TransformStream<ModelPart, ModelPart>({
      transform: (part, controller) => {
        controller.enqueue(part.type === 'stream-start' ? { ...part, warnings: [] } : part)
      },
    })
    return { ...result, stream: result.stream.pipeThrough(silence) }
  },
}

/** Notices a provider that sends nothing any more, and whether it had begun to answer. */
interface Watch {
  readonly signal: AbortSignal
  readonly hasResponded: () => boolean
  readonly touch: () => void
  /** Call it at the end, or the timer keeps running. */
  readonly stop: () => void
}

export function startWatch(stallTimeoutMs: number): Watch {
  const controller = new AbortController()
  let responded = false
  let stopped = false
  const timer = setTimeout(() => {
    controller.abort(new Error(`nothing came for ${stallTimeoutMs} ms`))
  }, stallTimeoutMs)
  return {
    signal: controller.signal,
    hasResponded: () => responded,
    touch: () => {
      responded = true
      // `refresh` would restart a stopped timer.
      if (!stopped) timer.refresh()
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** `fetch` that reports every byte to the watch, so keep-alives count. An error starts no reply. */
export function watchFetch(watch: Watch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await globalThis.fetch(input, init)
    if (!response.ok || response.body === null) return response
    watch.touch()
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          watch.touch()
          controller.enqueue(chunk)
        },
      }),
    )
    return new Response(body, response)
  }
}

type Part = TextStreamPart<ToolSet>

export interface StreamedCall {
  readonly callId: string
  readonly tool: string
  /** Parsed JSON, or the raw text if invalid. */
  readonly input: unknown
  /** The SDK could not read it, or the tool is unknown. */
  readonly invalid: boolean
}

interface Reply {
  readonly text: string
  readonly calls: readonly StreamedCall[]
  /** Characters of text, reasoning and arguments. */
  readonly writtenCharacters: number
  readonly reported: ReportedUsage
  /** Undefined until the model finished or was cut off. */
  readonly end: ReplyEnd | undefined
}

interface ReplyEnd {
  readonly finish: FinishKind
  /** The provider ended the reply for a reason that the model should know. */
  readonly problem?: string
}

const nothingReported: ReportedUsage = { inputTokens: undefined, outputTokens: undefined }

const emptyReply: Reply = {
  text: '',
  calls: [],
  writtenCharacters: 0,
  reported: nothingReported,
  end: undefined,
}

function extend(reply: Reply, part: Part): Reply {
  if (part.type === 'text-delta') return { ...addWritten(reply, part.text), text: reply.text + part.text }
  if (part.type === 'reasoning-delta') return addWritten(reply, part.text)
  if (part.type === 'tool-input-delta') return addWritten(reply, part.delta)
  if (part.type === 'tool-call') return { ...reply, calls: [...reply.calls, streamedCall(part)] }
  if (part.type !== 'finish-step') return reply
  return { ...reply, reported: reportedBy(part.usage), end: endOf(part, reply.calls.length > 0) }
}

function reportedBy(usage: LanguageModelUsage): ReportedUsage {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage
  return {
    inputTokens,
    outputTokens,
    cachedInputTokens: inputTokenDetails.cacheReadTokens,
    reasoningTokens: outputTokenDetails.reasoningTokens,
  }
}

function addWritten(reply: Reply, piece: string): Reply {
  return { ...reply, writtenCharacters: reply.writtenCharacters + piece.length }
}

function streamedCall(part: Extract<Part, { type: 'tool-call' }>): StreamedCall {
  const input: unknown = part.input
  return { callId: part.toolCallId, tool: part.toolName, input, invalid: part.invalid === true }
}

/** `other` without a provider reason means that the stream ended early. */
function endOf(part: Extract<Part, { type: 'finish-step' }>, asksForTools: boolean): ReplyEnd | undefined {
  const { finishReason, rawFinishReason } = part
  if (finishReason === 'length') return { finish: 'length' }
  if (finishReason === 'content-filter')
    return { finish: 'other', problem: 'the provider filtered the reply' }
  if (asksForTools && rawFinishReason !== undefined) return { finish: 'tool-calls' }
  if (finishReason === 'stop' || finishReason === 'tool-calls')
    return { finish: asksForTools ? 'tool-calls' : 'stop' }
  if (rawFinishReason === undefined) return undefined
  return { finish: 'other', problem: `the provider ended the reply with "${rawFinishReason.slice(0, 80)}"` }
}

interface ReportedUsage {
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  readonly cachedInputTokens?: number | undefined
  readonly reasoningTokens?: number | undefined
}

/** Zero means the server does not count. Ignores invalid numbers, and parts without totals. */
export function settleUsage(
  reported: ReportedUsage,
  estimate: { readonly inputTokens: number; readonly outputTokens: number },
): TokenUsage {
  const input = usable(reported.inputTokens, 1)
  const output = usable(reported.outputTokens, estimate.outputTokens > 0 ? 1 : 0)
  const cachedInputTokens = partOf(reported.cachedInputTokens, input)
  const reasoningTokens = partOf(reported.reasoningTokens, output)
  return {
    inputTokens: input ?? estimate.inputTokens,
    outputTokens: output ?? estimate.outputTokens,
    ...given({ cachedInputTokens, reasoningTokens }),
    estimated: input === undefined || output === undefined,
  }
}

function partOf(tokens: number | undefined, whole: number | undefined): number | undefined {
  const part = usable(tokens, 0)
  return part === undefined || whole === undefined || part > whole ? undefined : part
}

function usable(tokens: number | undefined, least: number): number | undefined {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens >= least ? tokens : undefined
}
