/** Mutators of operators: `a < b`, `a += b`, `i++`, `!a`. */
import ts from 'typescript'
import { binaryTwins } from './binary-twins.ts'
import { replaceNode, type Edit, type Mutator } from './edit.ts'

/** Another operator between the same operands. */
export const swapBinaryOperator: Mutator = (node, source) => {
  if (!ts.isBinaryExpression(node)) return []
  const token = node.operatorToken
  if (token.kind === ts.SyntaxKind.PlusToken && holdsText(node)) return []
  return (binaryTwins.get(token.getText(source)) ?? [])
    .filter(([after]) => !mixesNullish(node, after))
    .map(([after, kind]) => replaceNode(kind, token, source, after))
}

/** `a - b` read the wrong way round. */
export const swapOperands: Mutator = (node, source) => {
  if (!ts.isBinaryExpression(node) || !['-', '/', '%'].includes(node.operatorToken.getText(source))) return []
  const left = node.left.getText(source)
  const right = node.right.getText(source)
  const between = source.text.slice(node.left.getEnd(), node.right.getStart(source))
  if (left === right || between.includes('//') || between.includes('/*')) return []
  return [replaceNode('order', node, source, `${right} ${between.trim()} ${left}`)]
}

/** `i++` for `i--` and the other way round. */
export const swapStep: Mutator = (node, source) => {
  if (!ts.isPrefixUnaryExpression(node) && !ts.isPostfixUnaryExpression(node)) return []
  const isUp = node.operator === ts.SyntaxKind.PlusPlusToken
  if (!isUp && node.operator !== ts.SyntaxKind.MinusMinusToken) return []
  const start = ts.isPrefixUnaryExpression(node) ? node.getStart(source) : node.getEnd() - 2
  return [{ kind: 'step', start, end: start + 2, after: isUp ? '--' : '++' }]
}

/** A condition turned round. Loops are left out: turned round, most of them never end. */
export const negateCondition: Mutator = (node, source) => {
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [withoutNegation(node, source)]
  const condition = ts.isIfStatement(node)
    ? node.expression
    : ts.isConditionalExpression(node)
      ? node.condition
      : undefined
  if (condition === undefined || isNegatedElsewhere(condition, source)) return []
  const text = condition.getText(source)
  return [replaceNode('negation', condition, source, isAtom(condition) ? `!${text}` : `!(${text})`)]
}

function withoutNegation(node: ts.PrefixUnaryExpression, source: ts.SourceFile): Edit {
  const text = node.operand.getText(source)
  const isBare = isAtom(node.operand) || ts.isParenthesizedExpression(node.operand)
  return replaceNode('negation', node, source, isBare ? text : `(${text})`)
}

/** What keeps its meaning behind a `!` and may stand at the start of a statement. */
function isAtom(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) return true
  return (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) && isAtom(node.expression)
}

/** Its opposite is tried by another mutator already. */
function isNegatedElsewhere(condition: ts.Expression, source: ts.SourceFile): boolean {
  if (ts.isPrefixUnaryExpression(condition)) return true
  if (condition.kind === ts.SyntaxKind.TrueKeyword || condition.kind === ts.SyntaxKind.FalseKeyword)
    return true
  return (
    ts.isBinaryExpression(condition) && /^([<>]=?|[!=]==?)$/.test(condition.operatorToken.getText(source))
  )
}

/** Text is joined there, not added: no other operator makes sense. */
function holdsText(node: ts.Expression): boolean {
  if (ts.isBinaryExpression(node)) return holdsText(node.left) || holdsText(node.right)
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}

/** `??` may not stand beside `&&` and `||` without parentheses. */
function mixesNullish(node: ts.BinaryExpression, after: string): boolean {
  if (after !== '??' && after !== '||' && after !== '&&') return false
  const neighbours = [node.left, node.right, node.parent]
  return neighbours.some((neighbour) => {
    if (!ts.isBinaryExpression(neighbour)) return false
    const { kind } = neighbour.operatorToken
    const isNullish = kind === ts.SyntaxKind.QuestionQuestionToken
    const isLogical = kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.AmpersandAmpersandToken
    return after === '??' ? isLogical : isNullish
  })
}
