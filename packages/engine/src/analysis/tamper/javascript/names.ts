/** What the names of a file stand for. Names are not told apart by block: one that is bound twice is unknown. */
import type { SourceText } from './source-text.ts'
import { asCall, asMember, bare, isFunction, type FunctionNode, type SyntaxNode } from '../../source/index.ts'

export interface ImportedName {
  readonly from: string
  /** `*` for the whole module, `default` for its default export. */
  readonly name: string
}

export interface Names {
  readonly imports: ReadonlyMap<string, ImportedName>
  readonly values: ReadonlyMap<string, SyntaxNode>
  readonly functions: ReadonlyMap<string, FunctionNode>
  readonly source: SourceText
}

/** From all nodes of a file. */
export function namesIn(nodes: readonly SyntaxNode[], source: SourceText): Names {
  const imports = new Map<string, ImportedName>()
  const values = new Map<string, SyntaxNode>()
  const functions = new Map<string, FunctionNode>()
  const bound = new Set<string>()
  const bind = (name: string) => {
    if (bound.has(name)) values.delete(name)
    bound.add(name)
  }
  for (const node of nodes) {
    for (const [local, imported] of importedBy(node)) imports.set(local, imported)
    if (node.type === 'FunctionDeclaration' && node.id) functions.set(node.id.name, node)
    if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier') bind(node.left.name)
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier' || !node.init) continue
    const value = bare(node.init)
    if (!bound.has(node.id.name)) values.set(node.id.name, value)
    bind(node.id.name)
    if (isFunction(value)) functions.set(node.id.name, value)
  }
  return { imports, values, functions, source }
}

function importedBy(node: SyntaxNode): readonly (readonly [string, ImportedName])[] {
  if (node.type === 'ImportDeclaration') {
    const from = node.source.value
    return node.specifiers.map((specifier) => {
      if (specifier.type === 'ImportNamespaceSpecifier') return [specifier.local.name, { from, name: '*' }]
      if (specifier.type === 'ImportDefaultSpecifier')
        return [specifier.local.name, { from, name: 'default' }]
      const { imported } = specifier
      const name = imported.type === 'Identifier' ? imported.name : imported.value
      return [specifier.local.name, { from, name }]
    })
  }
  if (node.type !== 'VariableDeclarator' || !node.init) return []
  const [from, member = '*'] = requiredBy(node.init)
  if (from === undefined) return []
  if (node.id.type === 'Identifier') return [[node.id.name, { from, name: member }]]
  if (node.id.type !== 'ObjectPattern') return []
  return node.id.properties.flatMap((property): readonly (readonly [string, ImportedName])[] => {
    if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') return []
    return property.value.type === 'Identifier'
      ? [[property.value.name, { from, name: property.key.name }]]
      : []
  })
}

/** Module and member of `require('x')`, `require('x').y`, `await import('x')`. */
function requiredBy(node: SyntaxNode): readonly string[] {
  const value = bare(node.type === 'AwaitExpression' ? node.argument : node)
  const member = asMember(value)
  const call = asCall(member === undefined ? value : bare(member.object))
  const isLoading =
    call?.callee.type === 'Import' || (call?.callee.type === 'Identifier' && call.callee.name === 'require')
  const [module] = call?.arguments ?? []
  if (!isLoading || module?.type !== 'StringLiteral') return []
  return member?.property.type === 'Identifier' ? [module.value, member.property.name] : [module.value]
}

/** Of a literal, of one put together from literals, of a variable that holds one. */
export function constantOf(
  node: SyntaxNode | undefined,
  names: Names,
  depth = 0,
): string | number | boolean | undefined {
  const value = node === undefined ? undefined : bare(node)
  if (value === undefined || depth > 8) return undefined
  switch (value.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return value.value
    case 'TemplateLiteral':
      return value.expressions.length === 0 ? (value.quasis[0]?.value.cooked ?? undefined) : undefined
    case 'Identifier':
      return constantOf(names.values.get(value.name), names, depth + 1)
    case 'UnaryExpression': {
      const operand = constantOf(value.argument, names, depth + 1)
      return value.operator === '!' && operand !== undefined ? !operand : undefined
    }
    case 'BinaryExpression': {
      if (value.operator !== '+') return undefined
      const left = constantOf(value.left, names, depth + 1)
      const right = constantOf(value.right, names, depth + 1)
      return typeof left === 'string' && typeof right === 'string' ? left + right : undefined
    }
    default:
      return undefined
  }
}
