/** Functions of the file that declare tests for whoever calls them. */
import { declaratorOf } from './declarator.ts'
import type { Reader } from './sink.ts'
import { asCall, bare, childrenOf, type FunctionNode, type SyntaxNode } from './syntax.ts'

function declaresIn(node: SyntaxNode, reader: Reader): boolean {
  const call = asCall(node)
  if (call !== undefined) {
    const callee = bare(call.callee)
    const called =
      callee.type === 'Identifier' ? reader.context.bindings.functions.get(callee.name) : undefined
    if (
      called === undefined
        ? declaratorOf(callee, reader.context) !== undefined
        : declaresTests(called, reader)
    )
      return true
  }
  return childrenOf(node).some((child) => declaresIn(child, reader))
}

/** Also where it does so through another function of the file. */
export function declaresTests(body: FunctionNode, reader: Reader): boolean {
  const known = reader.declaring.get(body)
  if (known !== undefined) return known
  // In a circle: what else stands in it decides.
  reader.declaring.set(body, false)
  const declares = declaresIn(body.body, reader)
  reader.declaring.set(body, declares)
  return declares
}
