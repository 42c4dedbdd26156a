/** Whether assertions stand somewhere, reached or not. */
import { readAssertion } from './assertion.ts'
import type { DeclaratorContext } from './declarator.ts'
import { childrenOf, type SyntaxNode } from './syntax.ts'

export function holdsAssertion(node: SyntaxNode, context: DeclaratorContext): boolean {
  const mayAssert = /^(Optional)?(Call|Member)Expression$/.test(node.type)
  if (mayAssert && readAssertion(node, context) !== undefined) return true
  return childrenOf(node).some((child) => holdsAssertion(child, context))
}
