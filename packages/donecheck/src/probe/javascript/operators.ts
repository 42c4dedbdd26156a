import { replace, type Mutation } from '../mutation.ts'
import { swaps } from '../swaps.ts'
import { childOf, fieldOf, tokenBetween, type JavaScript, type SyntaxNode } from './syntax.ts'

/** Another operator in the place of this one. */
export function operatorFaults(node: SyntaxNode, source: JavaScript): readonly Mutation[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return swapped(node, source)
    default:
      return []
  }
}

function swapped(node: SyntaxNode, source: JavaScript): readonly Mutation[] {
  const [left, right] = [childOf(node, 'left'), childOf(node, 'right')]
  const operator = fieldOf(node, 'operator')
  if (left === undefined || right === undefined || typeof operator !== 'string') return []
  if (operator.startsWith('+') && (isText(left) || isText(right))) return []
  const token = tokenBetween(source, left.end, right.start, operator)
  const others = swaps.get(operator)
  if (token === undefined || others === undefined) return []
  return others.map(([kind, other]) => replace(kind, source.text, token, other))
}

/** Longer sums are not followed to their end. */
const longestSum = 20

/** Texts are joined by `+`, and no other operator makes sense of them. */
function isText(node: SyntaxNode, depth = 0): boolean {
  if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') return true
  if (node.type !== 'BinaryExpression' || fieldOf(node, 'operator') !== '+' || depth > longestSum)
    return false
  return [childOf(node, 'left'), childOf(node, 'right')].some(
    (side) => side !== undefined && isText(side, depth + 1),
  )
}
