/** The syntax tree of a file, read by the names of its fields. */
import { firstFrom, parseJavaScript } from '../../../analysis/source/index.ts'

interface Span {
  readonly start: number
  readonly end: number
}

export interface SyntaxNode extends Span {
  readonly type: string
}

export interface JavaScript {
  readonly text: string
  readonly program: SyntaxNode
  /** Comments are among them. */
  readonly tokens: readonly Span[]
}

/** Undefined: it is no program that the parser knows. */
export function readJavaScript(path: string, text: string): JavaScript | undefined {
  try {
    const { program, tokens } = parseJavaScript(path, text)
    const read: readonly unknown[] = tokens ?? []
    return isNode(program) ? { text, program, tokens: read.filter(isSpan) } : undefined
  } catch {
    return undefined
  }
}

/** Types, and what names something instead of doing it. */
const skippedFields: ReadonlySet<string> = new Set([
  'typeAnnotation',
  'typeParameters',
  'typeArguments',
  'returnType',
  'superTypeParameters',
  'superTypeArguments',
  'implements',
  'predicate',
  'directives',
  'source',
  'loc',
  'extra',
  'leadingComments',
  'trailingComments',
  'innerComments',
])

const skippedTypes =
  /^(?:ImportDeclaration|ImportAttribute|ExportAllDeclaration|TypeAlias|OpaqueType|InterfaceDeclaration|Declare\w+|Enum\w+|TS(?!AsExpression|SatisfiesExpression|NonNullExpression|TypeAssertion|InstantiationExpression|ExportAssignment|ModuleBlock|ModuleDeclaration|ParameterProperty)\w+)$/u

/** The nodes right below that do something when the program runs, in the order of the source. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const isNamed = fieldOf(node, 'computed') !== true
  return Object.entries(node).flatMap(([field, value]: readonly [string, unknown]) => {
    if (skippedFields.has(field) || (field === 'key' && isNamed)) return []
    const parts: readonly unknown[] = Array.isArray(value) ? value : [value]
    return parts.filter(isNode).filter(({ type }) => !skippedTypes.test(type))
  })
}

export function childOf(node: SyntaxNode, field: string): SyntaxNode | undefined {
  const value = fieldOf(node, field)
  return isNode(value) ? value : undefined
}

export function fieldOf(node: SyntaxNode, field: string): unknown {
  return new Map<string, unknown>(Object.entries(node)).get(field)
}

/** The first token between two places that reads like this. */
export function tokenBetween(
  { tokens, text }: JavaScript,
  start: number,
  end: number,
  wanted: string,
): Span | undefined {
  let index = firstFrom(tokens, start)
  for (let token = tokens[index]; token !== undefined && token.end <= end; token = tokens[++index])
    if (text.slice(token.start, token.end) === wanted) return token
  return undefined
}

function isSpan(value: unknown): value is Span {
  if (typeof value !== 'object' || value === null) return false
  return (
    'start' in value && typeof value.start === 'number' && 'end' in value && typeof value.end === 'number'
  )
}

function isNode(value: unknown): value is SyntaxNode {
  return isSpan(value) && 'type' in value && typeof value.type === 'string'
}
