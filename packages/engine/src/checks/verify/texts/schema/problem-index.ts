/** White space, and then a bracket, a sign, a number or a word, or the beginning of a text. */
const token = /[ \t\r\n]*(?:([{}[\],:"])|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y

const escape = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y

/** What may come next. `key-or-end` and `value-or-end`: just after an opening bracket. */
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end'

/**
 * Where a text stops being JSON (RFC 8259): the index of the first token that cannot stand there, the length of the text
 * where something is missing at its end. Undefined: it is JSON, or too strange to be looked through. The engine's own
 * parser tells the place for some mistakes only.
 */
export function problemIndex(text: string): number | undefined {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = 0
  try {
    for (;;) {
      if (expected === 'comma-or-end' && open.length === 0) return restIndex(text, at)
      const found = tokenAt(text, at)
      if (found === undefined) return restIndex(text, at) ?? text.length
      const next = after(found, expected, open)
      if (next === undefined) return found.index
      expected = next
      at = found.end
    }
  } catch {
    return undefined
  }
}

interface Token {
  readonly kind: string
  readonly index: number
  readonly end: number
}

function tokenAt(text: string, at: number): Token | undefined {
  token.lastIndex = at
  const match = token.exec(text)
  if (match === null) return undefined
  const [whole, sign = 'scalar'] = match
  const index = at + whole.length - whole.trimStart().length
  if (sign !== '"') return { kind: sign, index, end: at + whole.length }
  const end = endOfString(text, index + 1)
  return end === undefined ? undefined : { kind: 'string', index, end }
}

/** By hand: an expression for a whole text could take for ever on one that is not closed. */
function endOfString(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"') return at + 1
    if (character < ' ') return undefined
    if (character === '\\') {
      escape.lastIndex = at + 1
      const match = escape.exec(text)
      if (match === null) return undefined
      at += match[0].length
    }
  }
  return undefined
}

/** Undefined: the rest is white space. */
function restIndex(text: string, at: number): number | undefined {
  const offset = text.slice(at).search(/[^ \t\r\n]/)
  return offset < 0 ? undefined : at + offset
}

function after({ kind }: Token, expected: Expected, open: ('{' | '[')[]): Expected | undefined {
  switch (kind) {
    case '{':
    case '[':
      if (!expected.startsWith('value')) return undefined
      open.push(kind)
      return kind === '{' ? 'key-or-end' : 'value-or-end'
    case '}':
      return closes(expected, 'key-or-end') && open.pop() === '{' ? 'comma-or-end' : undefined
    case ']':
      return closes(expected, 'value-or-end') && open.pop() === '[' ? 'comma-or-end' : undefined
    case ',':
      if (expected !== 'comma-or-end') return undefined
      return open.at(-1) === '{' ? 'key' : 'value'
    case ':':
      return expected === 'colon' ? 'value' : undefined
    case 'string':
      if (expected.startsWith('key')) return 'colon'
      return expected.startsWith('value') ? 'comma-or-end' : undefined
    default:
      return expected.startsWith('value') ? 'comma-or-end' : undefined
  }
}

function closes(expected: Expected, whenEmpty: Expected): boolean {
  return expected === 'comma-or-end' || expected === whenEmpty
}
