/** The literal part of a configuration written in JavaScript or TypeScript. */
import { parse } from '@babel/parser'
import type { SettingValue, Settings } from './settings.ts'

type Statement = ReturnType<typeof parse>['program']['body'][number]
type Node = Extract<Statement, { type: 'ExpressionStatement' }>['expression']

/** Undefined: its syntax is not understood. */
export function readJavaScriptSettings(text: string): Settings | undefined {
  try {
    const { program } = parse(text, {
      sourceType: 'unambiguous',
      plugins: ['typescript'],
      createParenthesizedExpressions: false,
    })
    const settings = new Map<string, SettingValue>()
    const reader: Reader = { text, names: constantsOf(program.body), settings, depth: 0 }
    for (const statement of program.body) for (const root of rootsOf(statement)) readNode(root, '', reader)
    return settings
  } catch {
    return undefined
  }
}

interface Reader {
  readonly text: string
  /** Constants of the file. */
  readonly names: ReadonlyMap<string, Node>
  readonly settings: Map<string, SettingValue>
  readonly depth: number
}

function constantsOf(statements: readonly Statement[]): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>()
  for (const statement of statements) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations) {
      if (id.type === 'Identifier' && init !== null && init !== undefined) found.set(id.name, init)
    }
  }
  return found
}

/** What the file exports. */
function rootsOf(statement: Statement): readonly Node[] {
  if (statement.type === 'ExportDefaultDeclaration') {
    const { declaration } = statement
    return declaration.type === 'FunctionDeclaration' ||
      declaration.type === 'ClassDeclaration' ||
      declaration.type === 'TSDeclareFunction'
      ? []
      : [declaration]
  }
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression')
    return []
  const { left, right } = statement.expression
  return left.type === 'MemberExpression' ? [right] : []
}

/** Deeper configurations than that are read no further. */
const maxDepth = 30

function readNode(node: Node, key: string, reader: Reader): void {
  const { settings, text, names } = reader
  const inner = { ...reader, depth: reader.depth + 1 }
  if (reader.depth > maxDepth) return
  if (node.type === 'CallExpression') readCall(node, key, inner)
  else if (node.type === 'ObjectExpression') readObject(node, key, inner)
  else if (node.type === 'ArrayExpression') readArray(node, key, inner)
  else if (node.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement')
    readNode(node.body, key, inner)
  else if (node.type === 'ArrowFunctionExpression' && node.body.type === 'BlockStatement') {
    for (const statement of node.body.body) {
      if (statement.type === 'ReturnStatement' && statement.argument) readNode(statement.argument, key, inner)
    }
  } else if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
    readNode(node.expression, key, inner)
  else if (node.type === 'Identifier' && names.has(node.name)) {
    const value = names.get(node.name)
    if (value !== undefined) readNode(value, key, inner)
  } else settings.set(key === '' ? '.' : key, valueOf(node, text))
}

function readCall(node: Extract<Node, { type: 'CallExpression' }>, key: string, reader: Reader): void {
  const roots = node.arguments.flatMap((argument): readonly Node[] =>
    argument.type === 'SpreadElement' || argument.type === 'ArgumentPlaceholder' ? [] : [argument],
  )
  if (
    key !== '' &&
    !roots.some(({ type }) => /^(?:ObjectExpression|ArrayExpression|ArrowFunctionExpression)$/u.test(type))
  ) {
    reader.settings.set(key, source(node, reader.text))
    return
  }
  for (const [index, root] of roots.entries())
    readNode(root, roots.length > 1 && key === '' && index > 0 ? String(index) : key, reader)
}

function readObject(node: Extract<Node, { type: 'ObjectExpression' }>, key: string, reader: Reader): void {
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const spread = [key, `...${source(property.argument, reader.text)}`]
        .filter((part) => part !== '')
        .join('.')
      if (property.argument.type === 'Identifier' && reader.names.has(property.argument.name))
        readNode(property.argument, key, reader)
      else reader.settings.set(spread, true)
      continue
    }
    const name =
      property.key.type === 'Identifier' && !property.computed
        ? property.key.name
        : property.key.type === 'StringLiteral'
          ? property.key.value
          : source(property.key, reader.text)
    const path = key === '' ? name : `${key}.${name}`
    if (property.type === 'ObjectMethod') reader.settings.set(path, source(property, reader.text))
    else if (isExpression(property.value)) readNode(property.value, path, reader)
  }
}

type PropertyValue = Extract<
  Extract<Node, { type: 'ObjectExpression' }>['properties'][number],
  { type: 'ObjectProperty' }
>['value']

/** Patterns stand only where something is assigned. */
function isExpression(value: PropertyValue): value is Extract<PropertyValue, Node> {
  return !/Pattern$|^RestElement$/u.test(value.type)
}

function readArray(node: Extract<Node, { type: 'ArrayExpression' }>, key: string, reader: Reader): void {
  const isOfObjects = node.elements.some(
    (element) => element?.type === 'ObjectExpression' || element?.type === 'CallExpression',
  )
  if (!isOfObjects) {
    const entries = node.elements.flatMap((element) =>
      element === null
        ? []
        : [
            String(
              element.type === 'SpreadElement' ? source(element, reader.text) : valueOf(element, reader.text),
            ),
          ],
    )
    reader.settings.set(key, entries)
    return
  }
  for (const [index, element] of node.elements.entries()) {
    if (element !== null && element.type !== 'SpreadElement')
      readNode(element, key === '' ? String(index) : `${key}.${index}`, reader)
  }
}

function valueOf(node: Node, text: string): SettingValue {
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return node.value
    case 'NullLiteral':
      return null
    default:
      return source(node, text)
  }
}

function source(
  node: { readonly start?: number | null; readonly end?: number | null },
  text: string,
): string {
  return text.slice(node.start ?? 0, node.end ?? 0).replaceAll(/\s+/gu, ' ')
}
