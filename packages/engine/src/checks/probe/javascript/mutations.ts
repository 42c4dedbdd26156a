import { type Mutation, replace } from '../mutation.ts'
import { statementFaults } from './statements.ts'
import { childrenOf, type JavaScript, type SyntaxNode, fieldOf, childOf, tokenBetween } from './syntax.ts'
import { isForPeople } from './wording.ts'
import { swaps } from '../operator-swaps.ts'

interface Place {
  readonly node: SyntaxNode
  /** Words for people only: what an error or a log says is seldom checked, and need not be. */
  readonly isWording: boolean
}

/** Every fault that could be planted, in the order of the source. */
export function javaScriptMutations(source: JavaScript): readonly Mutation[] {
  const mutations: Mutation[] = []
  const waiting: Place[] = [{ node: source.program, isWording: false }]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { node } = place
    const isWording = place.isWording || isForPeople(node)
    if (!isWording)
      mutations.push(
        ...operatorFaults(node, source),
        ...statementFaults(node, source),
        ...literalFaults(node, source),
      )
    for (const child of childrenOf(node).toReversed()) waiting.push({ node: child, isWording })
  }
  return mutations
}

/** Another value in the place of this one. */
function literalFaults(node: SyntaxNode, { text }: JavaScript): readonly Mutation[] {
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

/** Another operator in the place of this one. */
function operatorFaults(node: SyntaxNode, source: JavaScript): readonly Mutation[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return swapOperands(node, source)
    default:
      return []
  }
}

function swapOperands(node: SyntaxNode, source: JavaScript): readonly Mutation[] {
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
