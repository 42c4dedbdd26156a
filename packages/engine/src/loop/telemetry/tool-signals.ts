import { content } from './attributes.ts'
import type { SignalBook } from './signal-book.ts'
import type { Attributes } from './signals.ts'
import { given } from '../../base/index.ts'
import type { FactOf, RunEvent, ToolCall } from '@donecheck/core/events'

/** The span of a call, by its id. */
export function toolSpan(callId: string): string {
  return `tool ${callId}`
}

/** @param calls that the latest reply has proposed */
export function toolSignals(event: RunEvent, calls: readonly ToolCall[], book: SignalBook): void {
  switch (event.type) {
    case 'approval-requested': {
      const attributes = nameOf(event.callId, calls)
      book.begin({ span: `approval ${event.callId}`, parent: book.current, name: 'approval', attributes })
      return
    }
    case 'approval-given': {
      const answer = { 'donecheck.approved': event.approved, ...given({ 'donecheck.scope': event.scope }) }
      book.end(`approval ${event.callId}`, answer)
      return
    }
    case 'tool-called':
      begin(event, calls, book)
      break
    case 'tool-returned':
      end(event, calls, book)
      break
    case 'tool-refused':
      refuse(event, calls, book)
      break
    default:
  }
}

function begin(
  { callId, tool, effect }: FactOf<'tool-called'>,
  calls: readonly ToolCall[],
  book: SignalBook,
) {
  const args = calls.find((call) => call.callId === callId)?.args ?? null
  book.begin({
    span: toolSpan(callId),
    parent: book.current,
    name: `execute_tool ${tool}`,
    attributes: {
      ...nameOf(callId, calls),
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'donecheck.effect': effect,
      ...book.texts(content.args(args)),
    },
  })
}

function end(event: FactOf<'tool-returned'>, calls: readonly ToolCall[], book: SignalBook) {
  const { callId, status, output } = event
  count(callId, status, calls, book)
  const attributes = { 'donecheck.status': status, ...book.texts(content.result(output)) }
  book.end(toolSpan(callId), attributes, status === 'ok' ? undefined : status)
}

function refuse(event: FactOf<'tool-refused'>, calls: readonly ToolCall[], book: SignalBook) {
  const { callId, by, label, reason } = event
  count(callId, 'refused', calls, book)
  const why = { 'donecheck.refused_by': by, ...given({ 'donecheck.refusal': label }) }
  book.log({
    name: 'donecheck.tool_refused',
    severity: 'WARN',
    attributes: { ...nameOf(callId, calls), ...why },
    text: content.message(reason),
  })
}

function count(callId: string, status: string, calls: readonly ToolCall[], book: SignalBook) {
  const { 'gen_ai.tool.name': tool = 'unknown' } = nameOf(callId, calls)
  book.measure('donecheck.tool.calls', 1, { 'gen_ai.tool.name': tool, 'donecheck.status': status })
}

function nameOf(callId: string, calls: readonly ToolCall[]): Attributes {
  const tool = calls.find((call) => call.callId === callId)?.tool
  return { 'gen_ai.tool.call.id': callId, ...given({ 'gen_ai.tool.name': tool }) }
}
