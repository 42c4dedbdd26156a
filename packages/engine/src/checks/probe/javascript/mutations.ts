import { type Mutation, replace, remove } from '../mutation.ts'
import { childrenOf, type JavaScript, type SyntaxNode, fieldOf, childOf, tokenBetween } from './syntax.ts'
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
    if (!isWording) mutations.push(...faultsAt(node, source))
    for (const child of childrenOf(node).toReversed()) waiting.push({ node: child, isWording })
  }
  return mutations
}

/**
 * Another value or another operator in the place of this one; a condition that is the other way round, a value that is not
 * returned, a call or a branch that is not there.
 */
function faultsAt(node: SyntaxNode, source: JavaScript): readonly Mutation[] {
  const { text } = source
  switch (node.type) {
    case 'BooleanLiteral':
      return [replace('boolean', text, node, fieldOf(node, 'value') === true ? 'false' : 'true')]
    case 'NumericLiteral':
      return numbersBeside(node, text)
    case 'StringLiteral':
      return [replace('string', text, node, "''")].filter(() => fieldOf(node, 'value') !== '')
    case 'TemplateLiteral':
      return [replace('string', text, node, '``')]
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return swapOperands(node, source)
    case 'IfStatement':
      return [...negateTest(childOf(node, 'test'), text), ...branchFaults(node, text)]
    case 'ConditionalExpression':
      return negateTest(childOf(node, 'test'), text)
    case 'ReturnStatement':
      return returnFaults(childOf(node, 'argument'), text)
    case 'ArrowFunctionExpression':
      return returnFaults(childOf(node, 'body'), text)
    case 'ExpressionStatement':
      return callFaults(node, text)
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

/** A comparison is turned round by its operator already. */
function negateTest(test: SyntaxNode | undefined, text: string): readonly Mutation[] {
  if (test === undefined || test.type === 'BinaryExpression') return []
  return [replace('condition', text, test, `!(${text.slice(test.start, test.end)})`)]
}

function branchFaults(node: SyntaxNode, text: string): readonly Mutation[] {
  return [childOf(node, 'consequent'), childOf(node, 'alternate')].flatMap((branch) => {
    if (branch === undefined || branch.type === 'IfStatement' || isEmpty(branch)) return []
    return [remove('branch', text, branch, '{}')]
  })
}

function isEmpty(branch: SyntaxNode): boolean {
  return (
    branch.type === 'EmptyStatement' || (branch.type === 'BlockStatement' && childrenOf(branch).length === 0)
  )
}

function returnFaults(value: SyntaxNode | undefined, text: string): readonly Mutation[] {
  const nothing = value === undefined ? undefined : nothingInsteadOf(value)
  if (value === undefined || nothing === undefined) return []
  return [replace('return', text, value, nothing)]
}

const arithmetic = /^(?:[-*/%+]|\*\*)$/u

/** Of the same shape, so that it goes unnoticed for as long as possible. Undefined: another kind of fault is at home here. */
function nothingInsteadOf(value: SyntaxNode): string | undefined {
  switch (value.type) {
    case 'BlockStatement':
    case 'BooleanLiteral':
    case 'NumericLiteral':
    case 'StringLiteral':
    case 'TemplateLiteral':
    case 'NullLiteral':
    case 'Identifier':
      return value.type === 'Identifier' && fieldOf(value, 'name') !== 'undefined' ? 'undefined' : undefined
    case 'ObjectExpression':
    case 'ArrayExpression':
    case 'NewExpression':
    case 'JSXElement':
    case 'JSXFragment':
      return 'null'
    case 'BinaryExpression':
      return arithmetic.test(String(fieldOf(value, 'operator'))) ? '0' : 'undefined'
    default:
      return 'undefined'
  }
}

/** A class cannot do without the call of `super`, and nobody misses a log. */
function callFaults(statement: SyntaxNode, text: string): readonly Mutation[] {
  const expression = childOf(statement, 'expression')
  const call = expression?.type === 'AwaitExpression' ? childOf(expression, 'argument') : expression
  const callee = call === undefined ? undefined : childOf(call, 'callee')
  const isCall = call?.type === 'CallExpression' || call?.type === 'OptionalCallExpression'
  if (!isCall || callee === undefined || callee.type === 'Super') return []
  if (isLog(call)) return []
  return [remove('call', text, statement, 'void 0;')]
}

/** Words of an error, a log or a label: seldom checked, with good reason. */
function isForPeople(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'ThrowStatement':
      return true
    case 'JSXAttribute':
      return childOf(node, 'value')?.type === 'StringLiteral'
    case 'CallExpression':
      return isLog(node)
    default:
      return false
  }
}

const logs = /^(?:console|log|logger|debug)$/u

/** Nobody misses it. */
function isLog(call: SyntaxNode): boolean {
  const callee = childOf(call, 'callee')
  const name = callee === undefined ? undefined : fieldOf(childOf(callee, 'object') ?? callee, 'name')
  return typeof name === 'string' && logs.test(name)
}
