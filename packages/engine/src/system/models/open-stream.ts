/** The one call of the AI SDK. Nothing of the SDK is loaded before it. */
import type { JSONSchema7, LanguageModelMiddleware, ModelMessage, ToolSet } from 'ai'
import type { z } from 'zod'
import type { JsonValue } from '@donecheck/core/events'
import type { ToolDescription } from '../../ports/loop.ts'
import type { Model } from './providers.ts'
import type { Part } from './reply.ts'

export interface StreamRequest {
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
export async function openStream(request: StreamRequest, signal: AbortSignal): Promise<ReadableStream<Part>> {
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
