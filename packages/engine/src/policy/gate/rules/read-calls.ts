/**
 * Reads rule files of Codex: calls of rule functions, with strings, numbers, lists, names and `+`, in the syntax of
 * Starlark. Everything else of the language is refused with its position, so that no file is read in part.
 */
import { type Position, RuleFault } from './rule.ts'

/** `null` is None; numbers are whole. */
export type Value = null | boolean | number | string | readonly Value[]

interface Arguments {
  readonly values: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

export interface Call extends Position, Arguments {
  readonly name: string
}

/** @returns the calls of these functions, in order @throws {RuleFault} */
export function readCalls(text: string, functions: readonly string[]): readonly Call[] {
  return new CallReader(scan(text), functions).readFile()
}

type Token = Position &
  (
    | { readonly kind: 'name' | 'symbol'; readonly text: string }
    | { readonly kind: 'literal'; readonly value: string | number }
    | { readonly kind: 'line-end' | 'file-end' }
  )

/** Only at the start of a line outside of brackets, where tabs and carriage returns mean nothing. */
const emptyLine = /[ \t\r]*(?:#[^\n]*)?(?:\n|$)/y

const piece = new RegExp(
  [
    String.raw`(?<ignored>(?: |#[^\n]*|\\\r?\n)+)`,
    String.raw`(?<line>\r?\n)`,
    String.raw`(?<prefix>\w*)(?<quote>"""|'''|"|')`,
    String.raw`(?<number>\.?\d[\w.]*)`,
    String.raw`(?<name>[A-Za-z_]\w*)`,
    String.raw`(?<symbol>[-+*/%|=!<>]=|[()[\]{},;:.=+*/%<>|-])`,
  ].join('|'),
  'y',
)

/** Reserved in Starlark, so that they name nothing. */
const keywords: ReadonlySet<string> = new Set(
  (
    'and break continue def elif else for if in lambda load not or pass return ' +
    'as assert async await class del except finally from global import is nonlocal raise try while with yield'
  ).split(' '),
)

/** @returns tokens that end with `file-end` @throws {RuleFault} */
function scan(text: string): readonly Token[] {
  const tokens: Token[] = []
  let [at, line, lineStart, brackets] = [0, 1, 0, 0]
  const here = (): Position => ({ line, column: at - lineStart + 1 })
  const advance = (passed: string) => {
    const last = passed.lastIndexOf('\n')
    if (last >= 0) {
      line += passed.split('\n').length - 1
      lineStart = at + last + 1
    }
    at += passed.length
  }
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  while (at < text.length) {
    const isStart = (tokens.at(-1)?.kind ?? 'line-end') === 'line-end' && at === lineStart
    const empty = isStart ? match(emptyLine) : null
    if (empty !== null) {
      advance(empty[0])
      continue
    }
    if (isStart) {
      advance(match(/\r*/y)?.[0] ?? '')
      if (text[at] === ' ')
        throw new RuleFault('a line that begins with blanks is not understood here', here())
    }
    const position = here()
    const found = match(piece)
    if (found === null) {
      const letter = JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))
      throw new RuleFault(`${letter} means nothing here`, position)
    }
    const { line: lineEnd, prefix = '', quote, number, name, symbol } = found.groups ?? {}
    advance(found[0])
    if (quote !== undefined) {
      const { value, written } = readString(text, at, { prefix, quote, position })
      advance(written)
      tokens.push({ ...position, kind: 'literal', value })
    } else if (number !== undefined)
      tokens.push({ ...position, kind: 'literal', value: readNumber(number, position) })
    else if (name !== undefined) {
      if (keywords.has(name)) throw new RuleFault(`'${name}' is not understood here`, position)
      tokens.push({ ...position, kind: 'name', text: name })
    } else if (symbol !== undefined) {
      brackets = Math.max(0, brackets + ('([{'.includes(symbol) ? 1 : ')]}'.includes(symbol) ? -1 : 0))
      tokens.push({ ...position, kind: 'symbol', text: symbol })
    } else if (lineEnd !== undefined && brackets === 0) tokens.push({ ...position, kind: 'line-end' })
  }
  if ((tokens.at(-1)?.kind ?? 'line-end') !== 'line-end') tokens.push({ ...here(), kind: 'line-end' })
  return [...tokens, { ...here(), kind: 'file-end' }]
}

function readNumber(digits: string, position: Position): number {
  const value = Number(digits)
  if (/^(?:0|[1-9]\d*)$/.test(digits) && Number.isSafeInteger(value)) return value
  throw new RuleFault(`the number ${digits} is not understood here`, position)
}

interface StringStart {
  /** `r` for a text without escapes. */
  readonly prefix: string
  readonly quote: string
  readonly position: Position
}

/** @returns the value, and what stands behind the opening quote, with the closing one */
function readString(text: string, at: number, { prefix, quote, position }: StringStart) {
  if (prefix !== '' && prefix !== 'r')
    throw new RuleFault(`a string with '${prefix}' before it is not understood here`, position)
  const inside = quote.length === 3 ? '[^\\\\]' : `[^\\\\\\n${quote}]`
  const body = new RegExp(`((?:${inside}|\\\\\\r?[^])*?)${quote}`, 'y')
  body.lastIndex = at
  const [written, content = ''] = body.exec(text) ?? []
  if (written === undefined) throw new RuleFault('a string is not closed', position)
  if ((prefix === 'r' ? /\\\r/ : /\\\r(?!\n)/).test(content))
    throw new RuleFault('a backslash before a carriage return', position)
  const lines = content.replaceAll('\r', '')
  return { written, value: prefix === 'r' ? lines.replaceAll(/\\(["'])/g, '$1') : unescaped(lines, position) }
}

const letters: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', a: '\u0007', b: '\b', f: '\f', v: '\v' },
  ...{ '\n': '', '\\': '\\', "'": "'", '"': '"' },
}

/** Unknown escapes stay unchanged. */
function unescaped(text: string, position: Position): string {
  return text.replaceAll(
    /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]))/g,
    (whole: string, octal?: string, byte?: string, unit?: string, point?: string, letter?: string) => {
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
      if (letter !== undefined && !'xuU'.includes(letter)) return letters[letter] ?? whole
      const code = Number.parseInt(byte ?? unit ?? point ?? '', 16)
      if (Number.isNaN(code) || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        throw new RuleFault(`'${whole}' is no character`, position)
      return String.fromCodePoint(code)
    },
  )
}

/** Prevents a stack overflow. */
const maxDepth = 60
/** Characters and items of all values of a file: lists of lists grow fast. */
const maxSize = 500_000

class CallReader {
  readonly #tokens: readonly Token[]
  readonly #functions: readonly string[]
  readonly #names = new Map<string, Value>([['True', true], ['False', false], ['None', null]]) // prettier-ignore
  readonly #calls: Call[] = []
  #at = 0
  #depth = 0
  #size = 0

  constructor(tokens: readonly Token[], functions: readonly string[]) {
    this.#tokens = tokens
    this.#functions = functions
  }

  readFile(): readonly Call[] {
    while (this.#next.kind !== 'file-end') {
      do this.#readStatement()
      while (this.#skip(';') && this.#next.kind !== 'line-end')
      if (this.#next.kind !== 'line-end') throw this.#unexpected('the end of the line')
      this.#at += 1
    }
    return this.#calls
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'file-end', line: 1, column: 1 }
  }

  #isAt(text: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead]
    return token !== undefined && 'text' in token && token.text === text
  }

  #skip(text: string): boolean {
    const isThere = this.#isAt(text)
    if (isThere) this.#at += 1
    return isThere
  }

  #expect(text: string): void {
    if (!this.#skip(text)) throw this.#unexpected(`'${text}'`)
  }

  #unexpected(wanted: string): RuleFault {
    const next = this.#next
    const ends = {
      'line-end': 'the end of the line',
      'file-end': 'the end of the file',
      literal: 'a literal',
    }
    const shown = 'text' in next ? `'${next.text}'` : ends[next.kind]
    return new RuleFault(`${shown} is not understood here, where ${wanted} is expected`, next)
  }

  #readStatement(): void {
    const at = this.#next
    const name = at.kind === 'name' ? at.text : undefined
    if (name !== undefined && this.#isAt('=', 1)) {
      if (this.#functions.includes(name))
        throw new RuleFault(`'${name}' is not understood here as a name`, at)
      this.#at += 2
      this.#names.set(name, this.#readSum())
    } else if (name !== undefined && this.#functions.includes(name)) {
      this.#at += 1
      this.#calls.push({ name, line: at.line, column: at.column, ...this.#readArguments() })
    } else this.#readSum()
  }

  #readArguments(): Arguments {
    const values: Value[] = []
    const named = new Map<string, Value>()
    this.#expect('(')
    while (!this.#skip(')')) {
      const at = this.#next
      const name = at.kind === 'name' && this.#isAt('=', 1) ? at.text : undefined
      if (name === undefined && named.size > 0)
        throw new RuleFault('an argument without a name behind one with a name', at)
      if (name !== undefined && named.has(name)) throw new RuleFault(`'${name}' is given twice`, at)
      if (name !== undefined) this.#at += 2
      const value = this.#readSum()
      if (name === undefined) values.push(value)
      else named.set(name, value)
      if (!this.#isAt(')')) this.#expect(',')
    }
    return { values, named }
  }

  #readSum(): Value {
    if (this.#depth === maxDepth)
      throw new RuleFault(`more than ${maxDepth} levels in one another is not understood here`, this.#next)
    this.#depth += 1
    let sum = this.#readValue()
    for (let at = this.#next; this.#skip('+'); at = this.#next) sum = this.#add(sum, this.#readValue(), at)
    this.#depth -= 1
    return sum
  }

  #add(one: Value, other: Value, at: Position): Value {
    if (typeof one === 'string' && typeof other === 'string') return this.#counted(one + other, at)
    if (isList(one) && isList(other)) return this.#counted([...one, ...other], at)
    throw new RuleFault("'+' is only understood between two strings or two lists", at)
  }

  #readValue(): Value {
    const next = this.#next
    if (this.#skip('(')) {
      const value = this.#readSum()
      this.#expect(')')
      return value
    }
    if (this.#skip('[')) {
      const items: Value[] = []
      while (!this.#skip(']')) {
        items.push(this.#readSum())
        if (!this.#isAt(']')) this.#expect(',')
      }
      return this.#counted(items, next)
    }
    const value =
      next.kind === 'literal' ? next.value : 'text' in next ? this.#names.get(next.text) : undefined
    if (value === undefined) throw this.#unexpected('a value')
    this.#at += 1
    return value
  }

  #counted<Made extends Value>(value: Made, at: Position): Made {
    this.#size += sizeOf(value)
    if (this.#size > maxSize) throw new RuleFault(`more than ${maxSize} characters and items`, at)
    return value
  }
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

function sizeOf(value: Value): number {
  if (isList(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item), 1)
  return typeof value === 'string' ? value.length : 1
}
