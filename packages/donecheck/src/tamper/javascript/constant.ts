/** Expressions whose value, or whose truth, is known without running anything. */
import type { Bindings } from './bindings.ts'
import type { SourceText } from './source-text.ts'
import { asCall, bare, type SyntaxNode } from './syntax.ts'

type Primitive = string | number | boolean | bigint | null | undefined

export interface Constant {
  readonly value: Primitive
}

/** What is known of the file around an expression. */
export interface Known {
  readonly bindings: Bindings
  readonly source: SourceText
}

const maxDepth = 20

function unary(operator: string, { value }: Constant): Constant | undefined {
  switch (operator) {
    case '!':
      return { value: !value }
    case '-':
      return typeof value === 'bigint' ? { value: -value } : { value: -Number(value) }
    case '+':
      return typeof value === 'bigint' ? undefined : { value: Number(value) }
    case '~':
      return typeof value === 'bigint' ? undefined : { value: ~Number(value) }
    case 'void':
      return { value: undefined }
    case 'typeof':
      return { value: value === null ? 'object' : typeof value }
    default:
      return undefined
  }
}

function compared(operator: string, left: Primitive, right: Primitive): Constant | undefined {
  if (operator === '===') return { value: left === right }
  if (operator === '!==') return { value: left !== right }
  if (typeof left !== typeof right) return undefined
  if (operator === '==') return { value: left === right }
  if (operator === '!=') return { value: left !== right }
  return undefined
}

function reckoned(operator: string, left: number, right: number): Constant | undefined {
  switch (operator) {
    case '<':
      return { value: left < right }
    case '<=':
      return { value: left <= right }
    case '>':
      return { value: left > right }
    case '>=':
      return { value: left >= right }
    case '+':
      return { value: left + right }
    case '-':
      return { value: left - right }
    case '*':
      return { value: left * right }
    case '/':
      return { value: left / right }
    case '%':
      return { value: left % right }
    default:
      return undefined
  }
}

function binary(operator: string, left: Primitive, right: Primitive): Constant | undefined {
  const answer = compared(operator, left, right)
  if (answer !== undefined) return answer
  if (typeof left === 'number' && typeof right === 'number') return reckoned(operator, left, right)
  return typeof left === 'string' && typeof right === 'string' && operator === '+'
    ? { value: left + right }
    : undefined
}

function ofName(name: string, known: Known, depth: number): Constant | undefined {
  if (name === 'undefined') return { value: undefined }
  if (name === 'NaN') return { value: NaN }
  if (name === 'Infinity') return { value: Infinity }
  const value = known.bindings.values.get(name)
  return value === undefined ? undefined : constantAt(value, known, depth)
}

const conversions: ReadonlyMap<string, (value: Primitive) => Primitive> = new Map<
  string,
  (value: Primitive) => Primitive
>([
  ['Boolean', Boolean],
  ['Number', Number],
  ['String', String],
])

function converted(node: SyntaxNode, known: Known, depth: number): Constant | undefined {
  const call = asCall(node)
  const [argument] = call?.arguments ?? []
  if (call?.callee.type !== 'Identifier' || argument === undefined) return undefined
  const conversion = conversions.get(call.callee.name)
  const value = conversion && constantAt(argument, known, depth)
  return conversion && value ? { value: conversion(value.value) } : undefined
}

function literal(node: SyntaxNode): Constant | undefined {
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return { value: node.value }
    case 'NullLiteral':
      return { value: null }
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? { value: node.quasis[0]?.value.cooked ?? '' } : undefined
    default:
      return undefined
  }
}

function constantAt(wrapped: SyntaxNode, known: Known, depth: number): Constant | undefined {
  if (depth > maxDepth) return undefined
  const node = bare(wrapped)
  const inner = (part: SyntaxNode): Constant | undefined => constantAt(part, known, depth + 1)
  switch (node.type) {
    case 'Identifier':
      return ofName(node.name, known, depth + 1)
    case 'UnaryExpression': {
      const argument = inner(node.argument)
      return argument && unary(node.operator, argument)
    }
    case 'BinaryExpression': {
      const left = inner(node.left)
      const right = left && inner(node.right)
      return right && binary(node.operator, left.value, right.value)
    }
    case 'LogicalExpression': {
      const left = inner(node.left)
      if (left === undefined) return undefined
      const takesLeft =
        node.operator === '??'
          ? left.value !== null && left.value !== undefined
          : Boolean(left.value) === (node.operator === '||')
      return takesLeft ? left : inner(node.right)
    }
    case 'ConditionalExpression': {
      const test = inner(node.test)
      return test && inner(test.value ? node.consequent : node.alternate)
    }
    case 'CallExpression':
      return converted(node, known, depth + 1)
    default:
      return literal(node)
  }
}

/** Undefined: not known. */
export function constantOf(node: SyntaxNode, known: Known): Constant | undefined {
  return constantAt(node, known, 0)
}

function isPlainOperand(node: SyntaxNode): boolean {
  const value = bare(node)
  if (value.type === 'MemberExpression') return isPlainOperand(value.object)
  return value.type === 'Identifier' || value.type === 'ThisExpression'
}

function logicalTruth(node: SyntaxNode, known: Known, depth: number): boolean | undefined {
  if (node.type !== 'LogicalExpression' || node.operator === '??') return undefined
  const decisive = node.operator === '||'
  const left = truthAt(node.left, known, depth)
  const right = truthAt(node.right, known, depth)
  if (left === decisive || right === decisive) return decisive
  return left === undefined || right === undefined ? undefined : !decisive
}

/** `x === x`, `x >= x` */
function sameOperands(node: SyntaxNode, known: Known): boolean | undefined {
  if (node.type !== 'BinaryExpression' || !isPlainOperand(node.left)) return undefined
  if (known.source.of(node.left) !== known.source.of(node.right)) return undefined
  if (/^(===?|[<>]=)$/.test(node.operator)) return true
  return /^(!==?|[<>])$/.test(node.operator) ? false : undefined
}

function truthAt(wrapped: SyntaxNode, known: Known, depth: number): boolean | undefined {
  const constant = constantOf(wrapped, known)
  if (constant !== undefined) return Boolean(constant.value)
  if (depth > maxDepth) return undefined
  const node = bare(wrapped)
  switch (node.type) {
    case 'ObjectExpression':
    case 'ArrayExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'ClassExpression':
    case 'RegExpLiteral':
    case 'NewExpression':
      return true
    case 'TemplateLiteral':
      return node.quasis.some(({ value }) => value.raw !== '') ? true : undefined
    case 'UnaryExpression': {
      if (node.operator === 'typeof') return true
      const inner = truthAt(node.argument, known, depth + 1)
      return node.operator === '!' && inner !== undefined ? !inner : undefined
    }
    case 'LogicalExpression':
      return logicalTruth(node, known, depth + 1)
    case 'ConditionalExpression': {
      const yes = truthAt(node.consequent, known, depth + 1)
      return yes === truthAt(node.alternate, known, depth + 1) ? yes : undefined
    }
    default:
      return sameOperands(node, known)
  }
}

/** Whether it is truthy whatever happens; undefined: it depends. */
export function truthOf(node: SyntaxNode, known: Known): boolean | undefined {
  return truthAt(node, known, 0)
}
