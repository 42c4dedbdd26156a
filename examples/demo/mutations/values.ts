/** Mutators of values: numbers, truth values, lengths, indexes, and which branch is taken. */
import ts from 'typescript'
import { replaceNode, type Edit, type Mutator } from './edit.ts'

/** One more and one less than a whole number. */
export const shiftNumber: Mutator = (node, source) => {
  if (!ts.isNumericLiteral(node) || isName(node)) return []
  const text = node.getText(source)
  const value = Number(text)
  if (!/^(0|[1-9]\d*)$/.test(text) || !Number.isSafeInteger(value + 1)) return []
  const less = value > 0 ? String(value - 1) : ts.isElementAccessExpression(node.parent) ? '-1' : '(-1)'
  return [String(value + 1), less].map((after) => replaceNode('number', node, source, after))
}

/** `true` for `false` and the other way round. */
export const flipBoolean: Mutator = (node, source) => {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [replaceNode('boolean', node, source, 'false')]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [replaceNode('boolean', node, source, 'true')]
  return []
}

/** `a ? b : c` becomes `a ? c : b`. */
export const swapBranches: Mutator = (node, source) => {
  if (!ts.isConditionalExpression(node)) return []
  const yes = node.whenTrue.getText(source)
  const no = node.whenFalse.getText(source)
  if (yes === no) return []
  const start = node.whenTrue.getStart(source)
  const between = source.text.slice(node.whenTrue.getEnd(), node.whenFalse.getStart(source))
  return [{ kind: 'branches', start, end: node.getEnd(), after: `${no}${between}${yes}` }]
}

/** `list.length` one off, where a value is read. */
export const shiftLength: Mutator = (node, source) => {
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'length' || !isRead(node)) return []
  return shifted(node, source, ts.isBinaryExpression(node.parent))
}

/** `list[i]` one off, where the index is a plain name. */
export const shiftIndex: Mutator = (node, source) => {
  if (!ts.isElementAccessExpression(node)) return []
  const index = node.argumentExpression
  return ts.isIdentifier(index) ? shifted(index, source, false) : []
}

function shifted(node: ts.Node, source: ts.SourceFile, isOperand: boolean): readonly Edit[] {
  const text = node.getText(source)
  return [`${text} - 1`, `${text} + 1`].map((after) =>
    replaceNode('length or index', node, source, isOperand ? `(${after})` : after),
  )
}

/** A place that holds a value and nothing that is written to. */
function isRead(node: ts.Expression): boolean {
  const { parent } = node
  if (ts.isBinaryExpression(parent)) {
    const { kind } = parent.operatorToken
    const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
    return parent.right === node || !isAssignment
  }
  if (ts.isElementAccessExpression(parent)) return parent.argumentExpression === node
  if (ts.isCallExpression(parent)) return parent.expression !== node
  return ts.isReturnStatement(parent) || (ts.isVariableDeclaration(parent) && parent.initializer === node)
}

/** The number is a key, as in `{ 1: 'one' }`. */
function isName(node: ts.Node): boolean {
  const { parent } = node
  return (
    ('name' in parent && parent.name === node) || ('propertyName' in parent && parent.propertyName === node)
  )
}
