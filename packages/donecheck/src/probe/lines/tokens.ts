import type { LineLanguage } from './language.ts'

export interface Token {
  readonly kind: 'word' | 'number' | 'string' | 'sign'
  readonly text: string
  readonly start: number
  readonly end: number
}

const signs = String.raw`===|!==|\*\*=|\/\/=|<<=|>>=|\.\.=|\.\.<|\.\.\.|\*\*|<=|>=|==|!=|&&|\|\||->|=>|<-|::|:=|\+\+|--|[-+*/%&|^]=|<<|>>|\.\.|[^\s\w]`

/** Every token outside of comments, in order. Never throws: what fits nowhere is a sign of its own. */
export function tokensOf(text: string, language: LineLanguage): readonly Token[] {
  const pattern = new RegExp(
    `(?<space>\\s+)|(?<comment>${language.comment})|(?<string>${language.string})|(?<number>\\d\\w*(?:\\.\\d\\w*)?)|(?<word>[\\p{L}_$][\\p{L}\\p{N}_$]*)|(?<sign>${signs})`,
    'gu',
  )
  const tokens: Token[] = []
  for (const { 0: token, index, groups = {} } of text.matchAll(pattern)) {
    const kind = kinds.find((name) => groups[name] !== undefined)
    if (kind !== undefined) tokens.push({ kind, text: token, start: index, end: index + token.length })
  }
  return tokens
}

const kinds = ['string', 'number', 'word', 'sign'] as const

/** Where the bracket that opens at this index closes; undefined: not among these tokens. */
export function closingOf(tokens: readonly Token[], open: number): number | undefined {
  let depth = 0
  for (let index = open; index < tokens.length; index += 1) {
    depth += depthOf(tokens[index])
    if (depth === 0) return index
  }
  return undefined
}

/** 1 for a round or square bracket that opens, -1 for one that closes. */
export function depthOf(token: Token | undefined): number {
  if (token?.kind !== 'sign') return 0
  if (token.text === '(' || token.text === '[') return 1
  return token.text === ')' || token.text === ']' ? -1 : 0
}
