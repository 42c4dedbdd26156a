/** Words, literals and signs of a source text, without what formatting changes. */

export interface Token {
  readonly kind: 'word' | 'number' | 'string' | 'sign' | 'comment' | 'newline'
  /** Strings with one kind of quotes wherever that changes nothing. */
  readonly text: string
  /** From 1. */
  readonly line: number
}

/** How a language writes comments and strings; sources of regular expressions. */
export interface Lexis {
  readonly comment: string
  readonly string: string
  /** Newlines mean something: they come as tokens. */
  readonly keepsNewlines: boolean
}

const signs = String.raw`\*\*=?|\/\/=?|<<=?|>>=?|[=!<>:+\-*/%&|^]=|&&|\|\||->|=>|::|<-|\+\+|--|\.\.\.|[^\s\w]`

/** Every comment and token in order. Never throws: what fits nowhere is a sign of its own. */
export function tokensOf(text: string, lexis: Lexis): readonly Token[] {
  const pattern = new RegExp(
    `(?<newline>\\r?\\n)|(?<space>\\\\\\r?\\n|[^\\S\\n]+)|(?<comment>${lexis.comment})|(?<string>${lexis.string})|(?<number>\\d[\\w.]*)|(?<word>[\\p{L}_$][\\p{L}\\p{N}_$]*)|(?<sign>${signs})`,
    'gu',
  )
  const tokens: Token[] = []
  let line = 1
  for (const { 0: all, groups = {} } of text.matchAll(pattern)) {
    const kind = kindOf(groups)
    if (kind !== 'space' && (kind !== 'newline' || lexis.keepsNewlines)) {
      tokens.push({ kind, text: kind === 'string' ? oneQuote(all) : all.trim(), line })
    }
    line += all.split('\n').length - 1
  }
  return tokens
}

type Kind = Token['kind'] | 'space'

const kinds: readonly Kind[] = ['newline', 'space', 'comment', 'string', 'number', 'word', 'sign']

function kindOf(groups: Readonly<Record<string, string | undefined>>): Kind {
  return kinds.find((kind) => groups[kind] !== undefined) ?? 'sign'
}

/** Without comments, newlines and the comma before a closing bracket. */
export function codeOf(tokens: readonly Token[]): readonly Token[] {
  const code = tokens.filter((token) => token.kind !== 'comment' && token.kind !== 'newline')
  return code.filter((token, index) => token.text !== ',' || !/^[)\]}]$/u.test(code[index + 1]?.text ?? ''))
}

/** One line of text, equal for equal code. */
export function textOf(tokens: readonly Token[]): string {
  return codeOf(tokens)
    .map((token) => token.text)
    .join(' ')
}

function oneQuote(literal: string): string {
  const match = /^(\w*)'((?:[^'"\\]|\\[^'"])*)'$/su.exec(literal)
  return match === null ? literal.replaceAll('\r\n', '\n') : `${match[1] ?? ''}"${match[2] ?? ''}"`
}

/** Where the bracket that opens at `start` closes; the last index where it never does. */
export function closingOf(tokens: readonly Token[], start: number): number {
  let depth = 0
  for (let index = start; index < tokens.length; index += 1) {
    depth += depthChange(tokens[index])
    if (depth <= 0) return index
  }
  return tokens.length - 1
}

/** 1 for an opening bracket, -1 for a closing one. */
export function depthChange(token: Token | undefined): number {
  if (token?.kind !== 'sign') return 0
  if ('([{'.includes(token.text)) return 1
  return ')]}'.includes(token.text) ? -1 : 0
}

/** The pieces between separators that stand outside of brackets; none for no tokens. */
export function splitAt(
  tokens: readonly Token[],
  isSeparator: (token: Token) => boolean,
): readonly (readonly Token[])[] {
  if (tokens.length === 0) return []
  const pieces: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    depth += depthChange(token)
    if (depth === 0 && isSeparator(token)) pieces.push([])
    else pieces.at(-1)?.push(token)
  }
  return pieces
}

/** Arguments between the bracket at `open` and its closing one. */
export function argumentsAt(tokens: readonly Token[], open: number): readonly (readonly Token[])[] {
  const inside = codeOf(tokens.slice(open + 1, closingOf(tokens, open)))
  return splitAt(inside, (token) => token.text === ',')
}
