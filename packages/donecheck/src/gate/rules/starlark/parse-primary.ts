/** Names, literals and brackets, and the calls, indexes and attributes behind them. */
import { targetOf } from './target.ts'
import { notUnderstood, SourceFault, type Position } from './source-fault.ts'
import type { Argument, Clause, Entry, Expression, Target, TemplateExpression } from './syntax.ts'
import type { TemplatePart } from './token.ts'
import { TokenReader } from './token-reader.ts'

/** What stands above in the grammar and is found again in brackets. */
export interface Grammar {
  readonly parseTest: (reader: TokenReader) => Expression
  /** Anything but `if … else` and `lambda`. */
  readonly parseOr: (reader: TokenReader) => Expression
}

export function parsePrimary(reader: TokenReader, grammar: Grammar): Expression {
  let value = parseAtom(reader, grammar)
  for (let links = 0; ; links = reader.link(links)) {
    const position = reader.position
    if (reader.skip('.')) value = { ...position, kind: 'attribute', object: value, name: reader.expectName() }
    else if (reader.skip('('))
      value = { ...position, kind: 'call', callee: value, parameters: parseArguments(reader, grammar) }
    else if (reader.skip('[')) value = parseSubscript(reader, value, position, grammar)
    else return value
  }
}

function parseAtom(reader: TokenReader, grammar: Grammar): Expression {
  const { next, position } = reader
  switch (next.kind) {
    case 'name':
      reader.advance()
      return { ...position, kind: 'name', name: next.text }
    case 'integer':
      reader.advance()
      return { ...position, kind: 'integer', value: next.value }
    case 'string':
      reader.advance()
      return { ...position, kind: 'string', value: next.value }
    case 'template':
      reader.advance()
      return {
        ...position,
        kind: 'template',
        parts: next.parts.map((part) => templateExpression(part, grammar)),
      }
    case 'symbol':
    case 'keyword':
    case 'line-end':
    case 'indent':
    case 'dedent':
    case 'file-end':
      break
  }
  if (reader.skip('(')) return parseParenthesis(reader, position, grammar)
  if (reader.skip('[')) return parseList(reader, position, grammar)
  if (reader.skip('{')) return parseDict(reader, position, grammar)
  if (reader.isAt('...')) throw notUnderstood(position, "'...'")
  throw reader.unexpected('an expression')
}

function templateExpression(part: TemplatePart, grammar: Grammar): TemplateExpression {
  if (part.kind === 'text') return part.value
  const reader = new TokenReader(part.tokens)
  const expression = grammar.parseTest(reader)
  if (reader.next.kind !== 'file-end') throw reader.unexpected("'}'")
  return { expression, asWritten: part.asWritten }
}

/** With a comma it is a tuple. */
function parseParenthesis(reader: TokenReader, position: Position, grammar: Grammar): Expression {
  if (reader.skip(')')) return { ...position, kind: 'tuple', items: [] }
  const first = grammar.parseTest(reader)
  if (reader.skip(')')) return first
  const items = [first]
  while (!reader.skip(')')) {
    reader.expect(',')
    if (!reader.isAt(')')) items.push(grammar.parseTest(reader))
  }
  return { ...position, kind: 'tuple', items }
}

function parseList(reader: TokenReader, position: Position, grammar: Grammar): Expression {
  const items: Expression[] = []
  while (!reader.skip(']')) {
    const item = grammar.parseTest(reader)
    if (items.length === 0 && reader.isAt('for'))
      return { ...position, kind: 'comprehension', item, clauses: parseClauses(reader, ']', grammar) }
    items.push(item)
    if (!reader.isAt(']')) reader.expect(',')
  }
  return { ...position, kind: 'list', items }
}

function parseDict(reader: TokenReader, position: Position, grammar: Grammar): Expression {
  const entries: Entry[] = []
  while (!reader.skip('}')) {
    const key = grammar.parseTest(reader)
    reader.expect(':')
    const entry = { key, value: grammar.parseTest(reader) }
    if (entries.length === 0 && reader.isAt('for'))
      return { ...position, kind: 'comprehension', item: entry, clauses: parseClauses(reader, '}', grammar) }
    entries.push(entry)
    if (!reader.isAt('}')) reader.expect(',')
  }
  return { ...position, kind: 'dict', entries }
}

/** What stands between `for` and `in`. */
export function parseLoopTarget(reader: TokenReader, grammar: Grammar): Target {
  const position = reader.position
  const first = targetOf(parsePrimary(reader, grammar))
  if (!reader.isAt(',')) return first
  const targets = [first]
  while (reader.skip(',')) targets.push(targetOf(parsePrimary(reader, grammar)))
  return { ...position, kind: 'several', targets }
}

/** Up to and with `end`. */
function parseClauses(reader: TokenReader, end: string, grammar: Grammar): readonly Clause[] {
  const clauses: Clause[] = []
  while (!reader.skip(end)) {
    if (reader.skip('if')) {
      clauses.push({ kind: 'if', condition: grammar.parseOr(reader) })
      continue
    }
    reader.expect('for')
    const target = parseLoopTarget(reader, grammar)
    reader.expect('in')
    clauses.push({ kind: 'for', target, items: grammar.parseOr(reader) })
  }
  return clauses
}

function parseArguments(reader: TokenReader, grammar: Grammar): readonly Argument[] {
  const found: Argument[] = []
  while (!reader.skip(')')) {
    const position = reader.position
    if (reader.isAt('*', '**')) throw notUnderstood(position, 'an argument with a star')
    const name = reader.next.kind === 'name' && reader.isFollowedBy('=') ? reader.expectName() : null
    if (name !== null) reader.expect('=')
    if (name === null && found.some((known) => known.name !== null))
      throw new SourceFault(position, 'an argument without a name behind one with a name')
    if (name !== null && found.some((known) => known.name === name))
      throw new SourceFault(position, `'${name}' is given twice`)
    found.push({ name, value: grammar.parseTest(reader) })
    if (!reader.isAt(')')) reader.expect(',')
  }
  return found
}

/** `[index]`, or `[start:stop:step]` with each of them optional. */
function parseSubscript(
  reader: TokenReader,
  object: Expression,
  position: Position,
  grammar: Grammar,
): Expression {
  const start = reader.isAt(':') ? null : grammar.parseTest(reader)
  if (start !== null && reader.skip(']')) return { ...position, kind: 'index', object, index: start }
  reader.expect(':')
  const stop = reader.isAt(':', ']') ? null : grammar.parseTest(reader)
  const step = reader.skip(':') && !reader.isAt(']') ? grammar.parseTest(reader) : null
  reader.expect(']')
  return { ...position, kind: 'slice', object, start, stop, step }
}
