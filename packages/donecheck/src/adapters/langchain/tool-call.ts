/** A call of a tool, behind the gate. Whatever becomes of it, the model reads an answer: no call is left open. */
import { fieldOf, listField, textField, type HostAnswer, type HostCall } from '../../agents/index.ts'
import type { ToldRun } from './ride.ts'
import { interruptOf, signalIn, typeOfMessage, type ToolRequestLike } from './sdk.ts'
import { callOf, resultOf } from './translate.ts'

export async function runTool<Request extends ToolRequestLike, Result>(
  request: Request,
  handler: (request: Request) => Result | Promise<Result>,
  told: ToldRun,
): Promise<Result> {
  const call = callOf(request.toolCall, told.acts)
  if (call === undefined) return handler(request)
  const answer = await told.proposed(call, signalIn(request.runtime))
  const refusal = await refusalOf(answer, call, request.runtime, told)
  if (refusal !== undefined) return answered(request, handler, call.tool, refusal)
  try {
    const result = await handler(request)
    told.finished(call, resultOf(result))
    return result
  } catch (error) {
    // A tool may ask a person by the graph's own way: it comes again. What other middleware throws is meant to end the agent.
    if (isInterrupt(error) || textField(error, '~brand') === 'MiddlewareError') throw error
    told.finished(call, { status: 'error', output: messageOf(error) })
    if (signalIn(request.runtime)?.aborted === true) throw error
    // Without any middleware around tools LangChain lets the model read this; with one it would end the agent.
    return answered(request, handler, call.tool, `${messageOf(error)}\nPlease fix your mistakes.`)
  }
}

/** Another tool in its place says it, so that LangChain makes the message. */
async function answered<Request extends ToolRequestLike, Result>(
  request: Request,
  handler: (request: Request) => Result | Promise<Result>,
  name: string,
  content: string,
): Promise<Result> {
  const result = await handler({ ...request, tool: { name, invoke: () => Promise.resolve(content) } })
  if (typeOfMessage(result) === 'tool') Object.assign(result as object, { status: 'error' })
  return result
}

/** What the model reads in place of a result. Undefined: it may run. */
async function refusalOf(
  answer: HostAnswer,
  call: HostCall,
  runtime: unknown,
  told: ToldRun,
): Promise<string | undefined> {
  switch (answer.kind) {
    case 'pass':
      return undefined
    case 'refuse':
      return answer.reason
    case 'end':
      return answer.message
    case 'send-back':
      return answer.feedback
    case 'ask':
      return askPerson(answer.reason, call, runtime, told)
  }
}

/** In the form of LangChain's own `humanInTheLoopMiddleware`, so that who answers that one answers this one. */
async function askPerson(
  reason: string,
  call: HostCall,
  runtime: unknown,
  told: ToldRun,
): Promise<string | undefined> {
  const interrupt = interruptOf(runtime)
  if (interrupt === undefined) return `not approved: ${reason}`
  const { tool: name, args } = call
  told.waits(call)
  const reply: unknown = await interrupt({
    actionRequests: [{ name, args, description: reason }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ['approve', 'reject'] }],
  })
  told.answered(call)
  const [decision] = listField(reply, 'decisions')
  if (textField(decision, 'type') === 'approve') return undefined
  return textField(decision, 'message') ?? `not approved: ${reason}`
}

function isInterrupt(error: unknown): boolean {
  return textField(error, 'name') === 'GraphInterrupt' || fieldOf(error, 'is_bubble_up') === true
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
