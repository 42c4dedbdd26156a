/** The syntax tree of a file, as far as the readers need its types. */
import { parse, type ParserOptions, type ParserPlugin } from '@babel/parser'

export type SyntaxTree = ReturnType<typeof parse>
type Statement = SyntaxTree['program']['body'][number]
type Kind<Union, Type extends string> = Extract<Union, { type: Type }>
type Expression = Kind<Statement, 'ExpressionStatement'>['expression']

export type CallExpression = Kind<Expression, 'CallExpression'>
type AnyCall = CallExpression | Kind<Expression, 'OptionalCallExpression'>
type AnyMember = Kind<Expression, 'MemberExpression' | 'OptionalMemberExpression'>
type Argument = CallExpression['arguments'][number]
type ObjectExpression = Kind<Expression, 'ObjectExpression'>
export type TemplateLiteral = Kind<Expression, 'TemplateLiteral'>
type ObjectMember = ObjectExpression['properties'][number]
type ClassMember = Kind<Expression, 'ClassExpression'>['body']['body'][number]
type VariableDeclaration = Kind<Statement, 'VariableDeclaration'>
type TryStatement = Kind<Statement, 'TryStatement'>

export type FunctionNode =
  | Kind<Expression, 'ArrowFunctionExpression' | 'FunctionExpression'>
  | Kind<Statement, 'FunctionDeclaration'>
  | Kind<ObjectMember, 'ObjectMethod'>
  | Kind<ClassMember, 'ClassMethod' | 'ClassPrivateMethod'>

export type SyntaxNode =
  | Statement
  | Expression
  | Argument
  | ObjectMember
  | ClassMember
  | FunctionNode
  | AnyCall['callee']
  | AnyMember['property']
  | VariableDeclaration['declarations'][number]
  | VariableDeclaration['declarations'][number]['id']
  | FunctionNode['params'][number]
  | NonNullable<TryStatement['handler']>
  | Kind<Statement, 'SwitchStatement'>['cases'][number]

const common: ParserOptions = {
  sourceType: 'unambiguous',
  tokens: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowSuperOutsideMethod: true,
  allowUndeclaredExports: true,
  allowNewTargetOutsideFunction: true,
}

/** Sets of plugins to try in turn: no one set reads every dialect. */
function dialectsOf(path: string): readonly (readonly ParserPlugin[])[] {
  if (/\.[cm]?ts$/.test(path)) return [['typescript', 'decorators-legacy']]
  if (/\.[cm]?tsx$/.test(path)) return [['typescript', 'jsx', 'decorators-legacy']]
  return [
    ['jsx', 'decorators-legacy'],
    ['flow', 'jsx', 'decorators-legacy'],
  ]
}

/** Throws what the parser throws for a text that is no program: a SyntaxError, or a RangeError where it nests too deep. */
export function parseJavaScript(path: string, text: string): SyntaxTree {
  let first: unknown
  for (const plugins of dialectsOf(path)) {
    try {
      return parse(text, { ...common, plugins: [...plugins] })
    } catch (problem) {
      first ??= problem
    }
  }
  throw first
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

const notSyntax = new Set(['loc', 'extra', 'leadingComments', 'trailingComments', 'innerComments'])

/** The nodes right below, in the order of the source (decorators and types included). */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = []
  const fields: Readonly<Record<string, unknown>> = { ...node }
  for (const key in fields) {
    const value = fields[key]
    if (typeof value !== 'object' || value === null || notSyntax.has(key)) continue
    if (Array.isArray(value)) {
      for (const part of value as readonly unknown[]) if (isNode(part)) children.push(part)
    } else if (isNode(value)) children.push(value)
  }
  return children
}

/** Deeper trees are not read: what people write is never so deep, and every reader after this one calls itself. */
const maxDepth = 1_500

/** Every node of the program, each before what stands in it. Throws a RangeError where it nests too deep. */
export function nodesOf(tree: SyntaxTree): readonly SyntaxNode[] {
  const nodes: SyntaxNode[] = []
  const waiting: (readonly [SyntaxNode, number])[] = []
  for (const statement of tree.program.body.toReversed()) waiting.push([statement, 1])
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [node, depth] = next
    if (depth > maxDepth) throw new RangeError(`it nests deeper than ${maxDepth} levels`)
    nodes.push(node)
    for (const child of childrenOf(node).reverse()) waiting.push([child, depth + 1])
  }
  return nodes
}

export function isFunction(node: SyntaxNode | null | undefined): node is FunctionNode {
  switch (node?.type) {
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassPrivateMethod':
      return true
    default:
      return false
  }
}

/** Without type assertions and the like, and without the leading parts of a sequence: what it is at run time. */
export function bare(node: SyntaxNode): SyntaxNode {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'TypeCastExpression':
    case 'ParenthesizedExpression':
      return bare(node.expression)
    case 'SequenceExpression': {
      const last = node.expressions.at(-1)
      return last === undefined ? node : bare(last)
    }
    default:
      return node
  }
}

/** From 1. */
export function lineOf(node: {
  readonly loc?: { readonly start: { readonly line: number } } | null
}): number {
  return node.loc?.start.line ?? 1
}
