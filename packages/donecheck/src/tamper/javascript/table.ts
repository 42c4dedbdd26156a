/** Rows of table tests, where the table is a literal. */
import type { Known } from './constant.ts'
import { asMember, bare, type SyntaxNode, type TemplateLiteral } from './syntax.ts'

/** Normalised source of each row; null: they cannot be counted. */
export type Rows = readonly string[] | null

/** Of `[…]`, of a variable with such a value, and of `[…].entries()`-like views on it. */
export function rowsOfArray(node: SyntaxNode | undefined, known: Known, depth = 0): Rows {
  if (node === undefined || depth > 5) return null
  const table = bare(node)
  if (table.type === 'Identifier') return rowsOfArray(known.bindings.values.get(table.name), known, depth + 1)
  if (table.type === 'CallExpression') {
    const member = asMember(table.callee)
    const isView =
      member?.property.type === 'Identifier' && /^(entries|values|keys)$/.test(member.property.name)
    if (!isView) return null
    const isObject = member.object.type === 'Identifier' && member.object.name === 'Object'
    return rowsOf(isObject ? table.arguments[0] : member.object, known, depth + 1)
  }
  if (table.type !== 'ArrayExpression') return null
  const rows: string[] = []
  for (const element of table.elements) {
    if (element?.type === 'SpreadElement') {
      const spread = rowsOfArray(element.argument, known, depth + 1)
      if (spread === null) return null
      rows.push(...spread)
    } else if (element !== null) rows.push(known.source.of(element))
  }
  return rows
}

function rowsOf(node: SyntaxNode | undefined, known: Known, depth: number): Rows {
  if (node === undefined) return null
  const table = bare(node)
  if (table.type === 'Identifier' && depth < 5)
    return rowsOf(known.bindings.values.get(table.name), known, depth + 1)
  return table.type === 'ObjectExpression'
    ? table.properties.map((property) => known.source.of(property))
    : rowsOfArray(table, known, depth)
}

/** Of a tagged template: the first line names the columns, each further line with values is a row. */
export function rowsOfTemplate(template: TemplateLiteral, known: Known): Rows {
  const columns = (template.quasis[0]?.value.raw ?? '').split('|').length
  const cells = template.expressions.map((expression) => known.source.of(expression))
  const rows: string[] = []
  for (let first = 0; first < cells.length; first += columns)
    rows.push(cells.slice(first, first + columns).join('|'))
  return rows
}
