import { childOf, fieldOf, type SyntaxNode } from './syntax.ts'

/** Words of an error, a log or a label: seldom checked, with good reason. */
export function isForPeople(node: SyntaxNode): boolean {
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
export function isLog(call: SyntaxNode): boolean {
  const callee = childOf(call, 'callee')
  const name = callee === undefined ? undefined : fieldOf(childOf(callee, 'object') ?? callee, 'name')
  return typeof name === 'string' && logs.test(name)
}
