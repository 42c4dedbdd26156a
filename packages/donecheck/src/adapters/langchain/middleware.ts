/** Middleware of LangChain for an agent whose word does not count: when it ends its turn the checks are asked, and it goes on. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Verification } from '../../ride/index.ts'
import { fieldOf, textField } from '../../agents/index.ts'
import { UsageError } from '../../errors.ts'
import { closingReply } from './closing-reply.ts'
import { assertKnownKeys } from '../../option-keys.ts'
import { OpenRuns, runKeys, type RunOptions } from './open-runs.ts'
import type { ToldRun } from './ride.ts'
import { messagesOf, signalIn, type Jump, type ModelRequestLike, type ToolRequestLike } from './sdk.ts'
import { runTool } from './tool-call.ts'
import { lastReply, taskOf, textOfMessage } from './translate.ts'

export type VerifiedMiddlewareOptions = RunOptions

/** Has what `createAgent` uses of a middleware. */
export interface VerifiedMiddleware {
  readonly name: 'donecheck'
  /** The run's name stands in the state, so that an interrupted one is found again. */
  readonly stateSchema: z.ZodObject<{ donecheckRun: z.ZodOptional<z.ZodString> }>
  beforeAgent(state: object, runtime: object): Promise<Jump>
  beforeModel(state: object, runtime: object): Promise<Jump | undefined>
  wrapModelCall<Request extends ModelRequestLike, Reply>(
    request: Request,
    handler: (request: Request) => Reply | Promise<Reply>,
  ): Promise<Reply>
  afterModel(state: object, runtime: object): Promise<undefined>
  wrapToolCall<Request extends ToolRequestLike, Result>(
    request: Request,
    handler: (request: Request) => Result | Promise<Result>,
  ): Promise<Result>
  readonly afterAgent: {
    readonly canJumpTo: ['model']
    hook(state: object, runtime: object): Promise<Jump | undefined>
  }
  /** What the checks say of an invocation, by its result. */
  verification(result: object): Promise<Verification>
}

/**
 * `createAgent({ model, tools, middleware: [verifiedMiddleware({ hardVerifiers: […] })] })`, first in the list. It serves any number of
 * invocations, also at the same time.
 */
export function verifiedMiddleware(options: VerifiedMiddlewareOptions): VerifiedMiddleware {
  assertKnownKeys(options, runKeys, 'verifiedMiddleware')
  const runs = new OpenRuns(options, { reportsUsage: true })
  const toldIn = (state: unknown): Promise<ToldRun> => runs.at(nameIn(state))
  return {
    name: 'donecheck',
    stateSchema: z.object({ donecheckRun: z.string().optional() }),
    beforeAgent: async (state) => {
      const donecheckRun = randomUUID()
      await runs.begin(donecheckRun, taskOf(messagesOf(state)))
      return { donecheckRun }
    },
    beforeModel: async (state, runtime) => {
      const advice = await (await toldIn(state)).stepEnded(signalIn(runtime))
      return advice.length === 0 ? undefined : { messages: [userMessage(advice.join('\n\n'))] }
    },
    wrapModelCall: async (request, handler) => {
      const told = await toldIn(request.state)
      // Other middleware may have come here past the hooks before a model.
      await told.stepEnded(signalIn(request.runtime))
      // Of the class that its replies have.
      if (told.ended !== undefined)
        return closingReply(told.ended, request.messages) as Awaited<ReturnType<typeof handler>>
      try {
        return await handler(request)
      } catch (error) {
        await told.broken(error instanceof Error ? error.message : String(error))
        throw error
      }
    },
    afterModel: async (state, runtime) => {
      const told = await toldIn(state)
      if (told.ended === undefined) await told.replied(lastReply(messagesOf(state)), signalIn(runtime))
      return undefined
    },
    wrapToolCall: async (request, handler) => runTool(request, handler, await toldIn(request.state)),
    afterAgent: {
      canJumpTo: ['model'],
      hook: async (state, runtime) => {
        const told = await toldIn(state)
        if (told.ended !== undefined) return undefined
        const answer = await told.claimed(finalText(state), signalIn(runtime))
        if (answer.kind !== 'send-back') return undefined
        return { messages: [userMessage(answer.feedback)], jumpTo: 'model' }
      },
    },
    verification: (result) => runs.verification(nameIn(result)),
  }
}

function nameIn(state: unknown): string {
  const name = textField(state, 'donecheckRun')
  if (name === undefined)
    throw new UsageError(
      'donecheckRun does not stand in the state: give the whole result of invoke, as it is',
    )
  return name
}

function userMessage(content: string): object {
  return { role: 'user', content }
}

/** The last words, or what a schema has made of them. */
function finalText(state: unknown): string {
  const text = textOfMessage(lastReply(messagesOf(state)))
  const structured = fieldOf(state, 'structuredResponse')
  return text !== '' || structured === undefined ? text : JSON.stringify(structured)
}
