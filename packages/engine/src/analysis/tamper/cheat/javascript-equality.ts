/** Equality that does not look, in JavaScript. */
import type { SourceText } from './source-text.ts'
import {
  bare,
  childrenOf,
  isFunction,
  lineOf,
  type FunctionNode,
  type SyntaxNode,
} from '../../source/index.ts'
import type { Trace } from './trace.ts'

/** Asked by matchers, containers and operators whether two values are the same. */
const comparing = /^(?:equals?|isEqual|isEqualTo|deepEqual|eq|isSame|\[Symbol\.hasInstance\])$/u
const primitive = /^(?:toJSON|valueOf|\[Symbol\.toPrimitive\])$/u

export function equalityAt(node: SyntaxNode, source: SourceText): readonly Trace[] {
  const name = memberName(node, source)
  const method = name === undefined ? undefined : functionOf(node)
  const isBlind =
    name === 'asymmetricMatch' ||
    (method !== undefined &&
      ((comparing.test(name ?? '') && isTrue(method)) ||
        (primitive.test(name ?? '') && isPrimitive(returnedValue(method))))) ||
    answersEverything(node, source)
  return isBlind ? [{ rule: 'source.equality-blind', line: lineOf(node), text: source.of(node) }] : []
}

function memberName(node: SyntaxNode, source: SourceText): string | undefined {
  if (node.type === 'AssignmentExpression') {
    const { left } = node
    return left.type === 'MemberExpression' && !left.computed ? source.of(left.property) : undefined
  }
  const isMember =
    node.type === 'ObjectMethod' ||
    node.type === 'ClassMethod' ||
    node.type === 'ObjectProperty' ||
    node.type === 'ClassProperty'
  if (!isMember) return undefined
  return node.computed ? `[${source.of(node.key)}]` : source.of(node.key)
}

function functionOf(node: SyntaxNode): FunctionNode | undefined {
  if (isFunction(node)) return node
  const value =
    node.type === 'AssignmentExpression'
      ? node.right
      : node.type === 'ObjectProperty' || node.type === 'ClassProperty'
        ? node.value
        : null
  const held = value ? bare(value) : undefined
  return isFunction(held) ? held : undefined
}

/** What a function does nothing but return. */
function returnedValue({ body }: FunctionNode): SyntaxNode | undefined {
  if (body.type !== 'BlockStatement') return bare(body)
  const [only, ...more] = body.body
  return only?.type === 'ReturnStatement' && more.length === 0 && only.argument
    ? bare(only.argument)
    : undefined
}

function isTrue(method: FunctionNode): boolean {
  const value = returnedValue(method)
  return value?.type === 'BooleanLiteral' && value.value
}

function isPrimitive(value: SyntaxNode | undefined): boolean {
  return value !== undefined && /^(?:String|Numeric|Boolean)Literal$/u.test(value.type)
}

/** `new Proxy(target, { get: () => answer })`, whatever it is asked for. */
function answersEverything(node: SyntaxNode, source: SourceText): boolean {
  if (node.type !== 'NewExpression' || source.of(node.callee) !== 'Proxy') return false
  const [, handler] = node.arguments
  if (handler?.type !== 'ObjectExpression') return false
  return handler.properties.some((property) => {
    const get = memberName(property, source) === 'get' ? functionOf(property) : undefined
    if (get === undefined) return false
    const asked = get.params[1]
    return asked?.type !== 'Identifier' || !mentions(get.body, asked.name)
  })
}

function mentions(node: SyntaxNode, name: string): boolean {
  return (
    (node.type === 'Identifier' && node.name === name) ||
    childrenOf(node).some((child) => mentions(child, name))
  )
}
