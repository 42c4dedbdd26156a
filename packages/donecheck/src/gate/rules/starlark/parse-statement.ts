/** Statements and blocks. */
import { grammar, parseParameters, parseTest, parseTests, parseTupleFrom } from './parse-expression.ts'
import { parseLoopTarget } from './parse-primary.ts'
import { namesOf, targetOf } from './target.ts'
import { notUnderstood, SourceFault, type Position } from './source-fault.ts'
import type { Branch, Definition, Statement } from './syntax.ts'
import { scan } from './scan.ts'
import { TokenReader } from './token-reader.ts'

/** Where a statement stands: what only makes sense in a loop or a function is refused elsewhere. */
interface Around {
  readonly isInLoop: boolean
  readonly isInFunction: boolean
}

const changing = ['+=', '-=', '*=', '//=', '%=']
const changingBeyondUs = ['/=', '|=', '&=', '^=', '<<=', '>>=']

/** The whole file. @throws SourceFault */
export function parseFile(text: string): readonly Statement[] {
  const reader = new TokenReader(scan(text))
  const statements: Statement[] = []
  while (!reader.skipKind('file-end'))
    statements.push(...parseStatements(reader, { isInLoop: false, isInFunction: false }))
  return statements
}

/** The names that the statements give a value, not counting those in functions. */
export function assignedIn(statements: readonly Statement[]): readonly string[] {
  return statements.flatMap((statement) => {
    switch (statement.kind) {
      case 'assign':
      case 'change':
        return namesOf(statement.target)
      case 'for':
        return [...namesOf(statement.target), ...assignedIn(statement.body)]
      case 'if':
        return statement.branches.flatMap(({ body }) => assignedIn(body))
      case 'def':
        return [statement.definition.name]
      case 'expression':
      case 'return':
      case 'pass':
      case 'break':
      case 'continue':
        return []
    }
  })
}

/** One compound statement, or one line of simple ones. */
function parseStatements(reader: TokenReader, around: Around): readonly Statement[] {
  const position = reader.position
  if (reader.skip('def')) return [{ ...position, kind: 'def', definition: parseDefinition(reader) }]
  if (reader.skip('if')) return [{ ...position, kind: 'if', branches: parseBranches(reader, around) }]
  if (reader.skip('for')) return [parseFor(reader, position, around)]
  return parseLine(reader, around)
}

function parseDefinition(reader: TokenReader): Definition {
  const name = reader.expectName()
  reader.expect('(')
  const parameters = parseParameters(reader, ')')
  if (reader.isAt('->')) throw notUnderstood(reader.position, 'a type')
  const body = parseBlock(reader, { isInLoop: false, isInFunction: true })
  const locals = new Set([...parameters.map((parameter) => parameter.name), ...assignedIn(body)])
  return { name, parameters, body, locals }
}

function parseBranches(reader: TokenReader, around: Around): readonly Branch[] {
  const branches: Branch[] = []
  do {
    const condition = parseTest(reader)
    branches.push({ condition, body: parseBlock(reader, around) })
  } while (reader.skip('elif'))
  if (reader.skip('else')) branches.push({ condition: null, body: parseBlock(reader, around) })
  return branches
}

function parseFor(reader: TokenReader, position: Position, around: Around): Statement {
  const target = parseLoopTarget(reader, grammar)
  reader.expect('in')
  const items = parseTest(reader)
  return { ...position, kind: 'for', target, items, body: parseBlock(reader, { ...around, isInLoop: true }) }
}

/** `:` and the rest of the line, or indented lines. */
function parseBlock(reader: TokenReader, around: Around): readonly Statement[] {
  reader.expect(':')
  if (!reader.skipKind('line-end')) return parseLine(reader, around)
  if (!reader.skipKind('indent')) throw reader.unexpected('an indented line')
  return reader.nested(() => {
    const body: Statement[] = []
    while (!reader.skipKind('dedent')) body.push(...parseStatements(reader, around))
    return body
  })
}

function parseLine(reader: TokenReader, around: Around): readonly Statement[] {
  const statements = [parseSimple(reader, around)]
  while (reader.skip(';')) {
    if (reader.next.kind === 'line-end') break
    statements.push(parseSimple(reader, around))
  }
  if (!reader.skipKind('line-end')) throw reader.unexpected('the end of the line')
  return statements
}

function parseSimple(reader: TokenReader, around: Around): Statement {
  const position = reader.position
  if (reader.skip('pass')) return { ...position, kind: 'pass' }
  if (reader.isAt('break', 'continue')) return parseLeap(reader, around)
  if (reader.skip('return')) return parseReturn(reader, position, around)
  if (reader.isAt('load')) throw notUnderstood(position, "'load'")
  const first = parseTest(reader)
  const comma = reader.isAt(',') ? reader.position : null
  const expression = comma === null ? first : parseTupleFrom(reader, first, position)
  if (reader.isAt(':') && expression.kind === 'name') throw notUnderstood(reader.position, 'a type')
  if (reader.skip('='))
    return { ...position, kind: 'assign', target: targetOf(expression), value: parseTests(reader) }
  const beyondUs = changingBeyondUs.find((candidate) => reader.isAt(candidate))
  if (beyondUs !== undefined) throw notUnderstood(reader.position, `the operator '${beyondUs}'`)
  const operator = changing.find((candidate) => reader.skip(candidate))
  if (operator === undefined) {
    if (comma !== null) throw new SourceFault(comma, 'a tuple without parentheses is no statement')
    return { ...position, kind: 'expression', expression }
  }
  const target = targetOf(expression)
  if (target.kind === 'several')
    throw new SourceFault(position, `'${operator}' changes one value, not several`)
  return { ...position, kind: 'change', target, operator: operator.slice(0, -1), value: parseTests(reader) }
}

function parseLeap(reader: TokenReader, { isInLoop }: Around): Statement {
  const position = reader.position
  const kind = reader.skip('break') ? 'break' : 'continue'
  if (kind === 'continue') reader.expect('continue')
  if (!isInLoop) throw new SourceFault(position, `'${kind}' outside of a loop`)
  return { ...position, kind }
}

function parseReturn(reader: TokenReader, position: Position, { isInFunction }: Around): Statement {
  if (!isInFunction) throw new SourceFault(position, "'return' outside of a function")
  const isBare = reader.next.kind === 'line-end' || reader.isAt(';')
  return { ...position, kind: 'return', value: isBare ? null : parseTests(reader) }
}
