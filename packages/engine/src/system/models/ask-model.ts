/** One request to the model, read to its end. It never throws: what went wrong is in the answer. */
import type { Model } from './providers.ts'
import { emptyReply, extend, type Part, type Reply } from './reply.ts'
import { startWatch, watchFetch, type Watch } from './watch.ts'
import type { JSONSchema7, LanguageModelMiddleware, ModelMessage, ToolSet } from 'ai'
import type { z } from 'zod'
import type { JsonValue } from '@donecheck/core/events'
import type { ToolDescription } from '../../ports/loop.ts'

export interface ModelRequest extends Omit<StreamRequest, 'model'> {
  readonly modelFor: (fetch: typeof globalThis.fetch) => Model
  readonly stallTimeoutMs: number
  readonly onText: (piece: string) => void
}

export interface ModelAnswer {
  /** What has come, all of it or the beginning. */
  readonly reply: Reply
  /** Undefined: the reply is whole. */
  readonly brokenBy: BreakCause | undefined
  /** The provider had accepted the request. */
  readonly responded: boolean
}

export type BreakCause =
  | { readonly kind: 'interrupted' | 'stalled' | 'cut-off' }
  | { readonly kind: 'error'; readonly error: unknown }

/** A server that ignores the limit of a reply is stopped at that many characters per token. */
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

/** After an abort, what the provider says is only its echo. */
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
      // `start` is the SDK's own and comes before the request.
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

/** The pieces are for show: a listener that throws does not end a reply. */
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
  /** Absent: the model's own. */
  readonly temperature?: number
  /** The reply has to be JSON of this shape; only for providers that hold a model to it. */
  readonly schema?: z.ZodType
}

/**
 * One step, no retries, and tools that the SDK cannot run: what happens next is not the SDK's decision. Errors come as
 * parts of the stream; nothing is printed.
 */
async function openStream(request: StreamRequest, signal: AbortSignal): Promise<ReadableStream<Part>> {
  const { Output, streamText, wrapLanguageModel } = await import('ai')
  const { prompt, tools, schema, temperature } = request
  const { stream } = streamText({
    model: wrapLanguageModel({ model: request.model, middleware: quiet }),
    instructions: prompt.instructions,
    messages: prompt.messages,
    ...(tools.length === 0 ? {} : { tools: await toolSet(tools) }),
    maxOutputTokens: request.maxOutputTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(schema === undefined ? {} : { output: Output.object({ schema }) }),
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

/** Keeps the provider's warnings from the SDK, which would print them. */
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
