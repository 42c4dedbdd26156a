/** The syntax tree of JavaScript and TypeScript, as far as the readers need it: nodes, names, and pieces of source in one spelling. */
import { parse, type ParserOptions, type ParserPlugin } from '@babel/parser'
import { firstFrom } from './tokens.ts'

type SyntaxTree = ReturnType<typeof parse>
type Statement = SyntaxTree['program']['body'][number]
type Kind<Union, Type extends string> = Extract<Union, { type: Type }>
type Expression = Kind<Statement, 'ExpressionStatement'>['expression']

type CallExpression = Kind<Expression, 'CallExpression'>
type AnyCall = CallExpression | Kind<Expression, 'OptionalCallExpression'>
type AnyMember = Kind<Expression, 'MemberExpression' | 'OptionalMemberExpression'>
type Argument = CallExpression['arguments'][number]
type ObjectExpression = Kind<Expression, 'ObjectExpression'>
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

interface Span {
  readonly start?: number | null
  readonly end?: number | null
}

export interface SourceText {
  /** Normalised source of what stands there, such as `add(1,2)`. */
  of(span: Span): string
}

interface Piece {
  readonly start: number
  readonly end: number
  readonly text: string
}

interface RawToken {
  readonly type: { readonly label: string }
  readonly value: unknown
  readonly start: number
  readonly end: number
}

function isToken(value: unknown): value is RawToken {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  const type: unknown = value.type
  return typeof type === 'object' && type !== null && 'label' in type && typeof type.label === 'string'
}

function textOf(token: RawToken, text: string): string {
  const raw = text.slice(token.start, token.end)
  if (token.type.label === 'string') return JSON.stringify(token.value)
  if (token.type.label === 'template') return JSON.stringify(raw)
  if (token.type.label !== 'jsxText') return raw
  const shown = raw.replace(/\s+/g, ' ').trim()
  return shown === '' ? '' : JSON.stringify(shown)
}

const closing = new Set([')', ']', '}'])
const identifier = /^"[A-Za-z_$][\w$]*"$/

/** What layout may add or leave out without a change of meaning. */
function withoutLayout(pieces: readonly Piece[]): Piece[] {
  const kept: Piece[] = []
  for (const [index, piece] of pieces.entries()) {
    const previous = pieces[index - 1]?.text ?? ''
    const next = pieces[index + 1]?.text ?? ''
    if (piece.text === '' || piece.text === ';' || (piece.text === ',' && closing.has(next))) continue
    if (next === ':' && (previous === '{' || previous === ',') && identifier.test(piece.text))
      kept.push({ ...piece, text: piece.text.slice(1, -1) })
    else if (next === '=>' && /^[\w$]+$/.test(piece.text)) kept.push({ ...piece, text: `(${piece.text})` })
    else kept.push(piece)
  }
  return kept
}

const word = /[\w$]/
const operator = /[-+/<>&|=!*?]/

function needsSpace(left: string, right: string): boolean {
  const before = left.at(-1) ?? ''
  const after = right[0] ?? ''
  return (word.test(before) && word.test(after)) || (operator.test(before) && operator.test(after))
}

export function sourceTextOf(tree: SyntaxTree, text: string): SourceText {
  const tokens: readonly unknown[] = tree.tokens ?? []
  const pieces = withoutLayout(
    tokens
      .filter(isToken)
      .map((token) => ({ start: token.start, end: token.end, text: textOf(token, text) })),
  )
  return {
    of({ start, end }) {
      const joined: string[] = []
      for (let index = firstFrom(pieces, start ?? 0); index < pieces.length; index++) {
        const piece = pieces[index]
        if (piece === undefined || piece.end > (end ?? 0)) break
        if (needsSpace(joined.at(-1) ?? '', piece.text)) joined.push(' ')
        joined.push(piece.text)
      }
      return joined.join('')
    },
  }
}

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
