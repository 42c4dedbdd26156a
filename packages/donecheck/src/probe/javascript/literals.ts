import { replace, type Mutation } from '../mutation.ts'
import { fieldOf, type JavaScript, type SyntaxNode } from './syntax.ts'

/** Another value in the place of this one. */
export function literalFaults(node: SyntaxNode, { text }: JavaScript): readonly Mutation[] {
  switch (node.type) {
    case 'BooleanLiteral':
      return [replace('boolean', text, node, fieldOf(node, 'value') === true ? 'false' : 'true')]
    case 'NumericLiteral':
      return numbersBeside(node, text)
    case 'StringLiteral':
      return [replace('string', text, node, "''")].filter(() => fieldOf(node, 'value') !== '')
    case 'TemplateLiteral':
      return [replace('string', text, node, '``')]
    default:
      return []
  }
}

function numbersBeside(node: SyntaxNode, text: string): readonly Mutation[] {
  const value = fieldOf(node, 'value')
  if (typeof value !== 'number' || !Number.isSafeInteger(value + 1)) return []
  const others = value >= 1 ? [value + 1, value - 1] : [value + 1]
  return others.map((other) => replace('number', text, node, String(other)))
}
