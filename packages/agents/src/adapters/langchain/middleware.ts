/** Middleware of LangChain for an agent whose word does not count: when it ends its turn the checks are asked, and it goes on. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Verification, SdkSession } from '../../session/index.ts'
import { fieldOf, textField } from '../../protocol/host/index.ts'
import { UsageError, assertKnownKeys } from '@donecheck/engine/base'
import { OpenRuns, runKeys, type RunOptions } from './session.ts'
import {
  messagesOf,
  signalIn,
  typeOfMessage,
  type Jump,
  type ModelRequestLike,
  type ToolRequestLike,
} from './sdk.ts'
import { runTool } from './tool-call.ts'
import { lastReply, replyOf, taskOf, textOfMessage } from './translate.ts'

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
  const runs = new OpenRuns(options)
  const sessionIn = (state: unknown): Promise<SdkSession> => runs.at(nameIn(state))
  return {
    name: 'donecheck',
    stateSchema: z.object({ donecheckRun: z.string().optional() }),
    beforeAgent: async (state) => {
      const donecheckRun = randomUUID()
      await runs.begin(donecheckRun, taskOf(messagesOf(state)))
      return { donecheckRun }
    },
    beforeModel: async (state, runtime) => {
      const advice = await (await sessionIn(state)).stepEnded(signalIn(runtime))
      return advice.length === 0 ? undefined : { messages: [userMessage(advice.join('\n\n'))] }
    },
    wrapModelCall: async (request, handler) => {
      const session = await sessionIn(request.state)
      // Other middleware may have come here past the hooks before a model.
      await session.stepEnded(signalIn(request.runtime))
      // Of the class that its replies have.
      if (session.ended !== undefined)
        return closingReply(session.ended, request.messages) as Awaited<ReturnType<typeof handler>>
      try {
        return await handler(request)
      } catch (error) {
        await session.recordFailure(error)
        throw error
      }
    },
    afterModel: async (state, runtime) => {
      const session = await sessionIn(state)
      if (session.ended === undefined)
        await session.recordReply(replyOf(lastReply(messagesOf(state)), session.acts), signalIn(runtime))
      return undefined
    },
    wrapToolCall: async (request, handler) => runTool(request, handler, await sessionIn(request.state)),
    afterAgent: {
      canJumpTo: ['model'],
      hook: async (state, runtime) => {
        const session = await sessionIn(state)
        if (session.ended !== undefined) return undefined
        const answer = await session.recordClaim(finalText(state), signalIn(runtime))
        if (answer.kind !== 'block') return undefined
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

type MessageClass = new (fields: { readonly content: string }) => object

/**
 * Made by the class of an earlier reply, as their own are not at hand here. It calls no tool, so that the agent ends with every
 * call answered.
 * @throws {Error} with the reason, where there was none: then nothing has been said that could be left open
 */
function closingReply(reason: string, messages: readonly unknown[]): object {
  const earlier = messages.findLast((message) => typeOfMessage(message) === 'ai')
  const made: unknown = typeof earlier === 'object' && earlier !== null ? earlier.constructor : undefined
  if (!isMessageClass(made)) throw new Error(reason)
  return new made({ content: reason })
}

function isMessageClass(value: unknown): value is MessageClass {
  return typeof value === 'function' && value !== Object
}
