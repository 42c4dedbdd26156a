/** What the names of a file stand for. Names are not told apart by block: a name that is bound twice is unknown. */
import { asCall, asMember, bare, isFunction, type FunctionNode, type SyntaxNode } from './syntax.ts'

export interface ImportedName {
  readonly from: string
  /** `*` for the whole module, `default` for its default export. */
  readonly name: string
}

export interface Bindings {
  readonly imports: ReadonlyMap<string, ImportedName>
  /** First value of each variable that is never assigned again. */
  readonly values: ReadonlyMap<string, SyntaxNode>
  readonly functions: ReadonlyMap<string, FunctionNode>
  /** Functions that something in the file calls or hands on, and exported ones. */
  readonly isUsed: (name: string) => boolean
  /** Everything that is declared: variables, functions, parameters, imports. */
  readonly declared: ReadonlySet<string>
}

interface Found {
  readonly imports: Map<string, ImportedName>
  readonly values: Map<string, SyntaxNode>
  readonly functions: Map<string, FunctionNode>
  readonly declared: Map<string, number>
  readonly assigned: Set<string>
  readonly mentions: Map<string, number>
  readonly exported: Set<string>
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** `require('x')`, `await import('x')`: the module's name. */
export function requiredModule(node: SyntaxNode): string | undefined {
  const value = bare(node.type === 'AwaitExpression' ? node.argument : node)
  const call = asCall(value)
  if (call === undefined) return undefined
  const isRequire =
    call.callee.type === 'Import' || (call.callee.type === 'Identifier' && call.callee.name === 'require')
  const [module] = call.arguments
  return isRequire && module?.type === 'StringLiteral' ? module.value : undefined
}

/** `require('x').y` */
function requiredName(node: SyntaxNode): ImportedName | undefined {
  const whole = requiredModule(node)
  if (whole !== undefined) return { from: whole, name: '*' }
  const member = asMember(bare(node))
  const from = member && requiredModule(member.object)
  if (member?.property.type !== 'Identifier' || from === undefined) return undefined
  return { from, name: member.property.name }
}

function namesIn(pattern: SyntaxNode, found: Found): void {
  switch (pattern.type) {
    case 'Identifier':
      count(found.declared, pattern.name)
      return
    case 'ObjectPattern':
      for (const property of pattern.properties)
        namesIn(property.type === 'RestElement' ? property.argument : property.value, found)
      return
    case 'ArrayPattern':
      for (const element of pattern.elements) if (element !== null) namesIn(element, found)
      return
    case 'AssignmentPattern':
      namesIn(pattern.left, found)
      return
    case 'RestElement':
      namesIn(pattern.argument, found)
      return
    default:
  }
}

function destructured(pattern: SyntaxNode, from: string, found: Found): void {
  if (pattern.type !== 'ObjectPattern') return
  for (const property of pattern.properties) {
    if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') continue
    const local = property.value.type === 'AssignmentPattern' ? property.value.left : property.value
    if (local.type === 'Identifier') found.imports.set(local.name, { from, name: property.key.name })
  }
}

function declare(id: SyntaxNode, value: SyntaxNode | null | undefined, found: Found): void {
  namesIn(id, found)
  if (value === null || value === undefined) return
  const imported = requiredName(value)
  if (imported !== undefined && id.type === 'Identifier') found.imports.set(id.name, imported)
  if (imported?.name === '*') destructured(id, imported.from, found)
  if (id.type !== 'Identifier') return
  const initial = bare(value)
  if (isFunction(initial)) found.functions.set(id.name, initial)
  else found.values.set(id.name, initial)
}

function noteImport(node: SyntaxNode, found: Found): void {
  if (node.type !== 'ImportDeclaration') return
  const from = node.source.value
  for (const specifier of node.specifiers) {
    count(found.declared, specifier.local.name)
    if (specifier.type === 'ImportNamespaceSpecifier')
      found.imports.set(specifier.local.name, { from, name: '*' })
    else if (specifier.type === 'ImportDefaultSpecifier')
      found.imports.set(specifier.local.name, { from, name: 'default' })
    else {
      const imported = specifier.imported
      const name = imported.type === 'Identifier' ? imported.name : imported.value
      found.imports.set(specifier.local.name, { from, name })
    }
  }
}

function noteExport(node: SyntaxNode, found: Found): void {
  if (node.type !== 'ExportNamedDeclaration' && node.type !== 'ExportDefaultDeclaration') return
  const declaration = node.declaration
  if (declaration?.type === 'FunctionDeclaration' && declaration.id) found.exported.add(declaration.id.name)
  if (declaration?.type === 'VariableDeclaration')
    for (const { id } of declaration.declarations) if (id.type === 'Identifier') found.exported.add(id.name)
}

function note(node: SyntaxNode, found: Found): void {
  noteImport(node, found)
  noteExport(node, found)
  if (node.type === 'VariableDeclarator') declare(node.id, node.init, found)
  if (isFunction(node)) for (const parameter of node.params) namesIn(parameter, found)
  if (node.type === 'FunctionDeclaration' && node.id) {
    count(found.declared, node.id.name)
    found.functions.set(node.id.name, node)
  }
  if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier')
    found.assigned.add(node.left.name)
  if (node.type === 'UpdateExpression' && node.argument.type === 'Identifier')
    found.assigned.add(node.argument.name)
  if (node.type === 'Identifier') count(found.mentions, node.name)
}

/** From all nodes of a file. */
export function readBindings(nodes: readonly SyntaxNode[]): Bindings {
  const found: Found = {
    imports: new Map(),
    values: new Map(),
    functions: new Map(),
    declared: new Map(),
    assigned: new Set(),
    mentions: new Map(),
    exported: new Set(),
  }
  for (const node of nodes) note(node, found)
  for (const [name, times] of found.declared) {
    if (times === 1 && !found.assigned.has(name)) continue
    found.values.delete(name)
    if (times > 1) found.imports.delete(name)
  }
  return {
    imports: found.imports,
    values: found.values,
    functions: found.functions,
    declared: new Set(found.declared.keys()),
    // The declaration itself is one mention.
    isUsed: (name) => found.exported.has(name) || (found.mentions.get(name) ?? 0) > 1,
  }
}
