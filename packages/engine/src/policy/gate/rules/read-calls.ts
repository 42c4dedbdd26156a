/**
 * A rule file as the calls that stand in it: literals, lists, names for them, and `+` between them. Nothing else of Starlark is
 * understood: what would have to be computed is an error with its line.
 */

/** Both from 1; the column in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** What is wrong with a rule file, and where. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
  readonly position: Position

  constructor(position: Position, problem: string) {
    super(problem)
    this.position = position
  }
}

export type Value = string | number | boolean | null | readonly Value[]

export interface Call extends Position {
  readonly name: string
  readonly values: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

type Token = Position &
  (
    | { readonly kind: 'name' | 'symbol'; readonly text: string }
    | { readonly kind: 'literal'; readonly value: string | number }
    | { readonly kind: 'line-end' }
  )

const maxDepth = 60
/** Of all values that `+` makes: `x = x + x` must come to an end. */
const maxSize = 2_000_000

const constants: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['True', true],
  ['False', false],
  ['None', null],
])

/** @throws {SourceFault} for all that is not understood */
export function readCalls(text: string, functions: readonly string[]): readonly Call[] {
  const [above, returned] = text.split('\\\r', 2)
  if (above !== undefined && returned !== undefined)
    throw notUnderstood(
      { line: above.split('\n').length, column: 1 },
      'a carriage return behind a backslash',
      'end lines with a line feed',
    )
  return new FileReader(scan(text.replaceAll('\r\n', '\n')), functions).read()
}

/** They are no names. */
const keywords: ReadonlySet<string> = new Set(
  (
    'and break continue def elif else for if in lambda load not or pass return ' +
    'as assert async await class del except finally from global import is nonlocal raise try while with yield'
  ).split(' '),
)

/** The last of them takes whatever has no meaning here, for the reader to complain of. */
const piece =
  /(?<blank> +|#[^\n]*|\\\n)|(?<end>\n)|(?<text>r?(?:"""(?:[^"\\]|\\[^]|"(?!""))*"""|'''(?:[^'\\]|\\[^]|'(?!''))*'''|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'))|(?<open>r?["'])|(?<name>[a-zA-Z_]\w*(?![\w"']))|(?<number>(?:0|[1-9]\d{0,14})(?![\w.]))|(?<symbol>[()[\],=+;]|[\w.]+|[^])/uy

/** Blank lines, comments, and what stands before a line. */
const lineStart = /(?:[ \t]*(?:#[^\n]*)?(?:\n|$))*[ \t]*/uy

function scan(text: string): readonly Token[] {
  const tokens: Token[] = []
  const place = new Place(text)
  let brackets = 0
  while (!place.isAtEnd()) {
    if (brackets === 0 && (tokens.length === 0 || tokens.at(-1)?.kind === 'line-end')) {
      const [front = ''] = place.take(lineStart) ?? []
      if (place.isAtEnd()) break
      if (/[ \t]$/u.test(front))
        tokens.push({ ...place.position, kind: 'symbol', text: 'blanks before a line' })
    }
    const { position } = place
    const { end, text: quoted, open, name, number, symbol } = place.take(piece)?.groups ?? {}
    if (open !== undefined) throw new SourceFault(position, 'a string is not closed')
    if (end !== undefined && brackets === 0) tokens.push({ ...position, kind: 'line-end' })
    if (quoted !== undefined) tokens.push({ ...position, kind: 'literal', value: unquoted(quoted, position) })
    if (name !== undefined) tokens.push({ ...position, kind: 'name', text: name })
    if (number !== undefined) tokens.push({ ...position, kind: 'literal', value: Number(number) })
    if (symbol === undefined) continue
    tokens.push({ ...position, kind: 'symbol', text: symbol })
    brackets = Math.max(0, brackets + ('(['.includes(symbol) ? 1 : ')]'.includes(symbol) ? -1 : 0))
  }
  return [...tokens, { ...place.position, kind: 'line-end' }]
}

/** A place in a text that is read from its start to its end. */
class Place {
  private readonly text: string
  private at = 0
  private line = 1
  private lineStart = 0

  constructor(text: string) {
    this.text = text
  }

  get position(): Position {
    return { line: this.line, column: this.at - this.lineStart + 1 }
  }

  isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  /** Takes what a sticky expression finds here. */
  take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at
    const found = expression.exec(this.text)
    const [taken = ''] = found ?? []
    for (let index = taken.indexOf('\n'); index !== -1; index = taken.indexOf('\n', index + 1)) {
      this.line += 1
      this.lineStart = this.at + index + 1
    }
    this.at += taken.length
    return found
  }
}

function notUnderstood({ line, column }: Position, what: string, instead: string): SourceFault {
  return new SourceFault({ line, column }, `${what} is not understood here: ${instead}`)
}

function unquoted(whole: string, position: Position): string {
  const isRaw = whole.startsWith('r')
  const quote = /"""|'''|"|'/u.exec(whole)?.[0] ?? ''
  const text = whole.slice(quote.length + Number(isRaw), -quote.length).replaceAll('\r', '')
  // In a raw string only a quote loses its backslash.
  return isRaw ? text.replace(/\\(["'])/gu, '$1') : text.replace(escapes, (part) => escaped(part, position))
}

const escapes = /\\(?:[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^])/gu

const simpleEscapes: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b', f: '\f', v: '\v', '\n': '' },
  ...{ '\\': '\\', "'": "'", '"': '"' },
}

/** An unknown escape stays as it is. */
function escaped(part: string, position: Position): string {
  const body = part.slice(1)
  if (/^[0-7]/u.test(body)) return String.fromCodePoint(Number.parseInt(body, 8))
  if (!/^[xuU]/u.test(body)) return Object.hasOwn(simpleEscapes, body) ? (simpleEscapes[body] ?? '') : part
  const code = Number.parseInt(body.slice(1), 16)
  if (Number.isNaN(code) || code > 0x10_ffff || (code >= 0xd800 && code <= 0xdfff))
    throw new SourceFault(position, `'${part}' is no character`)
  return String.fromCodePoint(code)
}

class FileReader {
  private readonly tokens: readonly Token[]
  private readonly functions: readonly string[]
  private readonly variables = new Map(constants)
  private at = 0
  private size = 0

  constructor(tokens: readonly Token[], functions: readonly string[]) {
    this.tokens = tokens
    this.functions = functions
  }

  read(): readonly Call[] {
    const calls: Call[] = []
    while (this.at < this.tokens.length) {
      const { next } = this
      if (next.kind === 'line-end') this.at += 1
      else if (next.kind === 'name') calls.push(...this.statement(next, next.text))
      else {
        // A text alone is a note.
        this.expression(0)
        this.expectLineEnd()
      }
    }
    return calls
  }

  private statement(position: Position, name: string): readonly Call[] {
    this.at += 1
    const isKnown = this.functions.includes(name)
    if (isKnown && this.skip('(')) {
      const { line, column } = position
      const call = { line, column, name, ...this.givenValues() }
      this.expectLineEnd()
      return [call]
    }
    if (isKnown || constants.has(name) || keywords.has(name) || !this.skip('='))
      throw notUnderstood(position, `'${name}'`, 'a rule file holds rules, and names for texts and lists')
    const value = this.expression(0)
    this.expectLineEnd()
    this.variables.set(name, value)
    return []
  }

  private givenValues(): Pick<Call, 'values' | 'named'> {
    const values: Value[] = []
    const named = new Map<string, Value>()
    while (!this.skip(')')) {
      const { next } = this
      const name = next.kind === 'name' && this.isAt('=', 1) ? next.text : undefined
      if (name === undefined && named.size > 0)
        throw notUnderstood(next, 'an argument without a name behind one with a name', 'name it')
      if (name !== undefined && named.has(name))
        throw notUnderstood(next, `'${name}' given twice`, 'give it once')
      if (name !== undefined) this.at += 2
      const value = this.expression(0)
      if (name === undefined) values.push(value)
      else named.set(name, value)
      if (!this.isAt(')')) this.expect(',')
    }
    return { values, named }
  }

  private expression(depth: number): Value {
    let value = this.term(depth)
    while (this.isAt('+')) {
      const { next } = this
      this.at += 1
      value = this.joined(value, this.term(depth), next)
    }
    return value
  }

  private joined(one: Value, other: Value, position: Position): Value {
    const isText = typeof one === 'string' && typeof other === 'string'
    const value = isText ? one + other : isList(one) && isList(other) ? [...one, ...other] : undefined
    if (value === undefined)
      throw notUnderstood(
        position,
        `'+' between ${typeOf(one)} and ${typeOf(other)}`,
        'it joins texts or lists',
      )
    this.size += value.length
    if (this.size > maxSize)
      throw notUnderstood(position, `a value of more than ${maxSize} parts`, 'write shorter ones')
    return value
  }

  private term(depth: number): Value {
    const { next } = this
    if (depth > maxDepth) throw notUnderstood(next, 'so many brackets in one another', `${maxDepth} at most`)
    if (this.skip('[')) return this.list(depth)
    if (this.skip('(')) {
      const value = this.expression(depth + 1)
      this.expect(')')
      return value
    }
    this.at += 1
    if (next.kind === 'literal') return next.value
    const value = next.kind === 'name' ? this.variables.get(next.text) : undefined
    if (value !== undefined) return value
    throw notUnderstood(next, shown(next), 'a text, a list, or a name for one of them is expected')
  }

  private list(depth: number): Value {
    const values: Value[] = []
    while (!this.skip(']')) {
      values.push(this.expression(depth + 1))
      if (!this.isAt(']')) this.expect(',')
    }
    return values
  }

  private get next(): Token {
    const last = this.tokens.at(-1)
    return this.tokens[this.at] ?? { line: last?.line ?? 1, column: last?.column ?? 1, kind: 'line-end' }
  }

  private isAt(symbol: string, ahead = 0): boolean {
    const token = this.tokens[this.at + ahead]
    return token?.kind === 'symbol' && token.text === symbol
  }

  private skip(symbol: string): boolean {
    const isThere = this.isAt(symbol)
    if (isThere) this.at += 1
    return isThere
  }

  private expect(symbol: string): void {
    if (this.skip(symbol)) return
    throw notUnderstood(this.next, shown(this.next), `'${symbol}' is expected`)
  }

  private expectLineEnd(): void {
    if (this.next.kind === 'line-end' || this.skip(';')) return
    throw notUnderstood(this.next, shown(this.next), 'the end of the line is expected')
  }
}

function shown(token: Token): string {
  if (token.kind === 'line-end') return 'the end of the line'
  if (token.kind === 'literal') return typeof token.value === 'string' ? 'a string' : `'${token.value}'`
  return `'${token.text}'`
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

/** As a complaint names it. */
export function typeOf(value: Value): string {
  if (value === null) return 'None'
  if (isList(value)) return 'list'
  if (typeof value === 'number') return 'int'
  return typeof value === 'boolean' ? 'bool' : 'string'
}
