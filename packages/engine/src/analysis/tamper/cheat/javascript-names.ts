/** Names and strings in JavaScript, also those that are put together from pieces. */
import { bare, type CallExpression, type SyntaxNode } from '../../source/index.ts'

/** `a.b['c']` as its names; none where it is no chain of names. */
export function pathOf(node: SyntaxNode): readonly string[] {
  const at = bare(node)
  if (at.type === 'Identifier') return [at.name]
  if (at.type === 'MetaProperty') return [at.meta.name, at.property.name]
  if (at.type !== 'MemberExpression' && at.type !== 'OptionalMemberExpression') return []
  const object = pathOf(at.object)
  const name = at.computed || at.property.type !== 'Identifier' ? stringOf(at.property) : at.property.name
  return object.length === 0 ? [] : [...object, name ?? '[]']
}

/** Of a literal, also one that is put together from pieces. */
export function stringOf(node: SyntaxNode): string | undefined {
  const at = bare(node)
  if (at.type === 'StringLiteral') return at.value
  if (at.type === 'TemplateLiteral' && at.expressions.length === 0) return at.quasis[0]?.value.raw
  if (at.type === 'CallExpression') return joinedString(at)
  if (at.type !== 'BinaryExpression' || at.operator !== '+') return undefined
  const left = stringOf(at.left)
  const right = stringOf(at.right)
  return left === undefined || right === undefined ? undefined : left + right
}

/** `['a', 'b'].join('/')`. */
function joinedString({ callee, arguments: [separator] }: CallExpression): string | undefined {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'ArrayExpression') return undefined
  if (callee.property.type !== 'Identifier' || callee.property.name !== 'join') return undefined
  const between = separator === undefined ? ',' : stringOf(separator)
  const pieces = callee.object.elements.map((one) => (one === null ? undefined : stringOf(one)))
  return between === undefined || pieces.includes(undefined) ? undefined : pieces.join(between)
}
