/** Handlers that keep failures of assertions from the runner. */
import { chainOf } from './chain.ts'
import type { Known } from './constant.ts'
import { newSink, straight, type Flow, type Reader, type Sink } from './sink.ts'
import { asCall, childrenOf, isFunction, lineOf, type SyntaxNode, type TryStatement } from './syntax.ts'

function mentionsName(node: SyntaxNode, name: string): boolean {
  if (node.type === 'Identifier') return node.name === name
  return childrenOf(node).some((child) => mentionsName(child, name))
}

/** Whether the caught error is handed on, other than to a log: `done(error)`, `reject(error)`, `failures.push(error)`. */
function handsOn(node: SyntaxNode, error: string, known: Known): boolean {
  const call = asCall(node)
  if (call?.arguments.some((argument) => mentionsName(argument, error))) {
    const { root } = chainOf(call, known)
    if (root.type !== 'Identifier' || !/^(console|log|logger|debug|String|void)$/.test(root.name)) return true
  }
  if (node.type === 'AssignmentExpression' && mentionsName(node.right, error)) return true
  return childrenOf(node).some((child) => handsOn(child, error, known))
}

/** Whether a handler with this parameter and body lets the failure be lost. */
function losesFailure(parameter: SyntaxNode | null | undefined, body: SyntaxNode, reader: Reader): boolean {
  const probe = newSink('helper')
  reader.walk(body, probe, straight)
  if (probe.failures > 0 || probe.assertions.some(({ strength }) => strength !== 'trivial')) return false
  return parameter?.type !== 'Identifier' || !handsOn(body, parameter.name, reader.context)
}

function endsInReturn(node: SyntaxNode): boolean {
  if (isFunction(node)) return false
  return node.type === 'ReturnStatement' || childrenOf(node).some(endsInReturn)
}

export function walkTry(node: TryStatement, sink: Sink, flow: Flow, reader: Reader): boolean {
  const before = sink.assertions.length
  const failuresBefore = sink.failures
  const ends = reader.walk(node.block, sink, flow)
  const guards = sink.assertions.length > before
  const { handler, finalizer } = node
  let handlerEnds = true
  if (handler) {
    // What fails within the block does not get out of it.
    sink.failures = failuresBefore
    if (guards && losesFailure(handler.param, handler.body, reader)) sink.swallowsAt ??= lineOf(handler)
    handlerEnds = reader.walk(handler.body, sink, {
      ...flow,
      isConditional: true,
      branchStart: sink.assertions.length,
    })
  }
  if (finalizer && guards && endsInReturn(finalizer)) sink.swallowsAt ??= lineOf(finalizer)
  const finallyEnds = finalizer ? reader.walk(finalizer, sink, flow) : false
  return (ends && handlerEnds) || finallyEnds
}

/** `….catch(() => {})`, `….then(done, () => {})` behind assertions. */
export function noteLostRejection(handler: SyntaxNode | undefined, sink: Sink, reader: Reader): void {
  if (handler === undefined || !isFunction(handler)) return
  if (losesFailure(handler.params[0], handler.body, reader)) sink.swallowsAt ??= lineOf(handler)
}
