/** Expressions, by the strength of their operators. */
import { parsePrimary, type Grammar } from './parse-primary.ts'
import { notUnderstood, SourceFault, type Position } from './source-fault.ts'
import type { Definition, Expression, Parameter } from './syntax.ts'
import type { TokenReader } from './token-reader.ts'

const comparisons = ['==', '!=', '<', '>', '<=', '>=', 'in']

/** Weakest first; those of one row bind to the left. */
const arithmetic: readonly (readonly string[])[] = [
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '//', '%'],
]

const beyondUs: readonly string[] = ['|', '^', '&', '<<', '>>', '/']

/** For the parts of the grammar that stand in brackets. */
export const grammar: Grammar = { parseTest, parseOr }

/** `a if b else c`, `lambda`, or anything that binds stronger. */
export function parseTest(reader: TokenReader): Expression {
  return reader.nested(() => {
    if (reader.isAt('lambda')) return parseLambda(reader)
    const then = parseOr(reader)
    const position = reader.position
    if (!reader.skip('if')) return then
    const condition = parseOr(reader)
    reader.expect('else')
    return { ...position, kind: 'conditional', condition, then, otherwise: parseTest(reader) }
  })
}

/** One test, or several with commas between them, which are a tuple. A comma at the end wants parentheses. */
export function parseTests(reader: TokenReader): Expression {
  const position = reader.position
  const first = parseTest(reader)
  return reader.isAt(',') ? parseTupleFrom(reader, first, position) : first
}

/** At the comma behind the first item of a tuple without parentheses. */
export function parseTupleFrom(reader: TokenReader, first: Expression, position: Position): Expression {
  const items = [first]
  while (reader.isAt(',')) {
    const comma = reader.position
    reader.advance()
    if (!startsTest(reader)) throw new SourceFault(comma, 'a comma at the end of a tuple without parentheses')
    items.push(parseTest(reader))
  }
  return { ...position, kind: 'tuple', items }
}

function startsTest(reader: TokenReader): boolean {
  const { next } = reader
  if (next.kind === 'symbol') return ['(', '[', '{', '-', '+', '~'].includes(next.text)
  if (next.kind === 'keyword') return ['not', 'lambda'].includes(next.text)
  return ['name', 'integer', 'string', 'template'].includes(next.kind)
}

/** Anything but `if … else` and `lambda`: what stands behind `in` and `if` of a comprehension. */
export function parseOr(reader: TokenReader): Expression {
  return chain(reader, ['or'], parseAnd)
}

function parseAnd(reader: TokenReader): Expression {
  return chain(reader, ['and'], parseNot)
}

function parseNot(reader: TokenReader): Expression {
  const position = reader.position
  if (!reader.skip('not')) return parseComparison(reader)
  return { ...position, kind: 'unary', operator: 'not', operand: reader.nested(() => parseNot(reader)) }
}

function parseComparison(reader: TokenReader): Expression {
  const left = parseArithmetic(reader, 0)
  const position = reader.position
  const operator = comparisonAt(reader)
  if (operator === undefined) return left
  const right = parseArithmetic(reader, 0)
  const behind = reader.position
  if (comparisonAt(reader) !== undefined)
    throw new SourceFault(behind, 'two comparisons in a row: put one of them into parentheses')
  return { ...position, kind: 'binary', operator, left, right }
}

/** Takes it. */
function comparisonAt(reader: TokenReader): string | undefined {
  if (reader.isAt('not') && reader.isFollowedBy('in')) {
    reader.advance()
    reader.advance()
    return 'not in'
  }
  return comparisons.find((operator) => reader.skip(operator))
}

function parseArithmetic(reader: TokenReader, row: number): Expression {
  const operators = arithmetic[row]
  return operators === undefined
    ? parseUnary(reader)
    : chain(reader, operators, () => parseArithmetic(reader, row + 1))
}

function chain(
  reader: TokenReader,
  operators: readonly string[],
  parse: (reader: TokenReader) => Expression,
): Expression {
  let left = parse(reader)
  for (let links = 0; ; links = reader.link(links)) {
    const position = reader.position
    const operator = operators.find((candidate) => reader.skip(candidate))
    if (operator === undefined) return left
    if (beyondUs.includes(operator)) throw notUnderstood(position, `the operator '${operator}'`)
    left = { ...position, kind: 'binary', operator, left, right: parse(reader) }
  }
}

function parseUnary(reader: TokenReader): Expression {
  const position = reader.position
  if (reader.isAt('~')) throw notUnderstood(position, "the operator '~'")
  const operator = (['-', '+'] as const).find((candidate) => reader.skip(candidate))
  if (operator === undefined) return parsePrimary(reader, grammar)
  return { ...position, kind: 'unary', operator, operand: reader.nested(() => parseUnary(reader)) }
}

function parseLambda(reader: TokenReader): Expression {
  const position = reader.position
  reader.expect('lambda')
  const parameters = parseParameters(reader, ':')
  const value = parseTest(reader)
  const locals = new Set(parameters.map(({ name }) => name))
  const definition: Definition = {
    name: 'lambda',
    parameters,
    body: [{ ...position, kind: 'return', value }],
    locals,
  }
  return { ...position, kind: 'lambda', definition }
}

/** Up to and with `end`. */
export function parseParameters(reader: TokenReader, end: string): readonly Parameter[] {
  const parameters: Parameter[] = []
  while (!reader.skip(end)) {
    const position = reader.position
    if (reader.isAt('*', '**')) throw notUnderstood(position, 'a parameter with a star')
    const name = reader.expectName()
    if (end === ')' && reader.isAt(':')) throw notUnderstood(reader.position, 'a type')
    const otherwise = reader.skip('=') ? parseTest(reader) : null
    if (parameters.some((known) => known.name === name))
      throw new SourceFault(position, `two parameters are named '${name}'`)
    if (otherwise === null && parameters.at(-1)?.otherwise != null)
      throw new SourceFault(position, `'${name}' has no default and stands behind one that has`)
    parameters.push({ name, otherwise })
    if (!reader.isAt(end)) reader.expect(',')
  }
  return parameters
}
