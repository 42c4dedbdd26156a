import { remove, replace, type Mutation } from '../mutation.ts'
import { childOf, childrenOf, fieldOf, type JavaScript, type SyntaxNode } from './syntax.ts'
import { isLog } from './wording.ts'

/** A condition that is the other way round, a value that is not returned, a call or a branch that is not there. */
export function statementFaults(node: SyntaxNode, { text }: JavaScript): readonly Mutation[] {
  switch (node.type) {
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
