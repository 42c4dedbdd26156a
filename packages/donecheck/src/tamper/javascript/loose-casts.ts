/** Type assertions after which the type checker asks nothing more. */
import type { PlacedText } from '../facts.ts'
import { lineOf, type SyntaxNode } from './syntax.ts'

/** What two of them share: the same text, wherever they stand. */
export const looseCasts: readonly string[] = ['as any', 'as unknown as']

export function looseCastAt(node: SyntaxNode): PlacedText | undefined {
  if (node.type !== 'TSAsExpression') return undefined
  const { expression, typeAnnotation } = node
  if (typeAnnotation.type === 'TSAnyKeyword') return { line: lineOf(node), text: 'as any' }
  const isTwice =
    expression.type === 'TSAsExpression' && expression.typeAnnotation.type === 'TSUnknownKeyword'
  return isTwice ? { line: lineOf(node), text: 'as unknown as' } : undefined
}
