/** A call of a tool, behind the gate. Whatever becomes of it, the model reads an answer: no call is left open. */
import { messageOf } from '@donecheck/engine/base'
import { fieldOf, listField, textField, type HostCall } from '../../protocol/host/index.ts'
import { refusalIn, type SdkSession } from '../../session/index.ts'
import { interruptOf, signalIn, typeOfMessage, type ToolRequestLike } from './sdk.ts'
import { callOf, resultOf } from './translate.ts'

export async function runTool<Request extends ToolRequestLike, Result>(
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
    // A tool may ask a person by the graph's own way: it comes again. What other middleware throws is meant to end the agent.
    if (isInterrupt(error) || textField(error, '~brand') === 'MiddlewareError') throw error
    session.recordResult(call, { status: 'error', output: messageOf(error) })
    if (signalIn(request.runtime)?.aborted === true) throw error
    // Without any middleware around tools LangChain lets the model read this; with one it would end the agent.
    return answerInPlace(request, handler, call.tool, `${messageOf(error)}\nPlease fix your mistakes.`)
  }
}

/** Another tool in its place says it, so that LangChain makes the message. */
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

/**
 * In the form of LangChain's own `humanInTheLoopMiddleware`, so that who answers that one answers this one.
 * @returns what the model reads in place of a result; undefined if the call may run
 */
async function askPerson(
  reason: string,
  call: HostCall,
  runtime: unknown,
  session: SdkSession,
): Promise<string | undefined> {
  const interrupt = interruptOf(runtime)
  if (interrupt === undefined) return `not approved: ${reason}`
  const { tool: name, args } = call
  session.waits(call)
  const reply: unknown = await interrupt({
    actionRequests: [{ name, args, description: reason }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ['approve', 'reject'] }],
  })
  session.answered(call)
  const [decision] = listField(reply, 'decisions')
  if (textField(decision, 'type') === 'approve') return undefined
  return textField(decision, 'message') ?? `not approved: ${reason}`
}

function isInterrupt(error: unknown): boolean {
  return textField(error, 'name') === 'GraphInterrupt' || fieldOf(error, 'is_bubble_up') === true
}
