import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Verification, type SdkSession, refusalIn, taskIn } from '../../session/index.ts'
import { callMethod, fieldOf, textIn, listIn, type HostCall } from '../../protocol/host/index.ts'
import { UsageError, assertOptions, messageOf } from '@donecheck/engine/internal/base'
import {
  OpenRuns,
  runOptions,
  type RunOptions,
  messagesOf,
  signalIn,
  typeOfMessage,
  type Jump,
  type ModelRequestLike,
  type ToolRequestLike,
  lastReply,
  replyOf,
  textOfMessage,
  callOf,
  resultOf,
} from './session.ts'

export type VerifiedMiddlewareOptions = RunOptions

export interface VerifiedMiddleware {
  readonly name: 'donecheck'
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
  verification(result: object): Promise<Verification>
}

/** Put it first in the middleware list. It serves any number of invocations concurrently. */
export function verifiedMiddleware(options: VerifiedMiddlewareOptions): VerifiedMiddleware {
  assertOptions(runOptions, options, 'verifiedMiddleware')
  const runs = new OpenRuns(options)
  const sessionIn = (state: unknown): Promise<SdkSession> => runs.at(nameIn(state))
  return {
    name: 'donecheck',
    stateSchema: z.object({ donecheckRun: z.string().optional() }),
    beforeAgent: async (state) => {
      const donecheckRun = randomUUID()
      await runs.begin(donecheckRun, taskIn(messagesOf(state)))
      return { donecheckRun }
    },
    beforeModel: async (state, runtime) => {
      const advice = await (await sessionIn(state)).stepEnded(signalIn(runtime))
      return advice.length === 0 ? undefined : { messages: [userMessage(advice.join('\n\n'))] }
    },
    wrapModelCall: async (request, handler) => {
      const session = await sessionIn(request.state)
      // Other middleware may skip the hooks before a model.
      await session.stepEnded(signalIn(request.runtime))
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
        const feedback = await session.verifyTurnEnd(finalText(state), signalIn(runtime))
        return feedback === undefined ? undefined : { messages: [userMessage(feedback)], jumpTo: 'model' }
      },
    },
    verification: (result) => runs.verification(nameIn(result)),
  }
}

function nameIn(state: unknown): string {
  const name = textIn(state, 'donecheckRun')
  if (name === undefined)
    throw new UsageError(
      'donecheckRun does not stand in the state: give the whole result of invoke, as it is',
    )
  return name
}

function userMessage(content: string): object {
  return { role: 'user', content }
}

function finalText(state: unknown): string {
  const text = textOfMessage(lastReply(messagesOf(state)))
  const structured = fieldOf(state, 'structuredResponse')
  return text !== '' || structured === undefined ? text : JSON.stringify(structured)
}

type MessageClass = new (fields: { readonly content: string }) => object

/** Builds the reply from the class of an earlier one. @throws {Error} with the reason if there is none */
function closingReply(reason: string, messages: readonly unknown[]): object {
  const earlier = messages.findLast((message) => typeOfMessage(message) === 'ai')
  const made: unknown = typeof earlier === 'object' && earlier !== null ? earlier.constructor : undefined
  if (!isMessageClass(made)) throw new Error(reason)
  return new made({ content: reason })
}

function isMessageClass(value: unknown): value is MessageClass {
  return typeof value === 'function' && value !== Object
}

async function runTool<Request extends ToolRequestLike, Result>(
  request: Request,
  handler: (request: Request) => Result | Promise<Result>,
  session: SdkSession,
): Promise<Result> {
  const call = callOf(request.toolCall, session.acts)
  if (call === undefined) return handler(request)
  const answer = await session.proposeCall(call, signalIn(request.runtime))
  const refusal =
    answer.kind === 'ask' ? await askPerson(answer.reason, call, request.runtime, session) : refusalIn(answer)
  if (refusal !== undefined) return answerInPlace(request, handler, call.tool, refusal)
  try {
    const result = await handler(request)
    session.recordResult(call, resultOf(result))
    return result
  } catch (error) {
    // Rethrow interrupts of the graph, which resume later, and errors of other middleware, which end the
    // agent.
    if (isInterrupt(error) || textIn(error, '~brand') === 'MiddlewareError') throw error
    session.recordResult(call, { status: 'error', output: messageOf(error) })
    if (signalIn(request.runtime)?.aborted === true) throw error
    // Without tool middleware LangChain shows this error to the model; with one it would end the agent.
    return answerInPlace(request, handler, call.tool, `${messageOf(error)}\nPlease fix your mistakes.`)
  }
}

async function answerInPlace<Request extends ToolRequestLike, Result>(
  request: Request,
  handler: (request: Request) => Result | Promise<Result>,
  name: string,
  content: string,
): Promise<Result> {
  const result = await handler({ ...request, tool: { name, invoke: () => Promise.resolve(content) } })
  if (typeOfMessage(result) === 'tool') Object.assign(result as object, { status: 'error' })
  return result
}

/** Asks as `humanInTheLoopMiddleware` does. @returns what the model reads instead of a result */
async function askPerson(
  reason: string,
  call: HostCall,
  runtime: unknown,
  session: SdkSession,
): Promise<string | undefined> {
  // LangGraph's own `interrupt`.
  if (typeof fieldOf(runtime, 'interrupt') !== 'function') return `not approved: ${reason}`
  const { tool: name, args } = call
  session.waits(call)
  const reply: unknown = await callMethod(runtime, 'interrupt', {
    actionRequests: [{ name, args, description: reason }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ['approve', 'reject'] }],
  })
  session.answered(call)
  const [decision] = listIn(reply, 'decisions')
  if (textIn(decision, 'type') === 'approve') return undefined
  return textIn(decision, 'message') ?? `not approved: ${reason}`
}

function isInterrupt(error: unknown): boolean {
  return textIn(error, 'name') === 'GraphInterrupt' || fieldOf(error, 'is_bubble_up') === true
}
