/** The words of the language. */
import type { Position } from './source-fault.ts'

export type Token = Position &
  (
    | { readonly kind: 'name'; readonly text: string }
    | { readonly kind: 'keyword'; readonly text: string }
    | { readonly kind: 'symbol'; readonly text: string }
    | { readonly kind: 'integer'; readonly value: number }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'template'; readonly parts: readonly TemplatePart[] }
    | { readonly kind: 'line-end' | 'indent' | 'dedent' | 'file-end' }
  )

/** A piece of an f-string: text, or the tokens of an expression. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'expression'; readonly tokens: readonly Token[]; readonly asWritten: boolean }

export const keywords: ReadonlySet<string> = new Set(
  'and break continue def elif else for if in lambda load not or pass return'.split(' '),
)

/** Kept free by the language; no name may be one of these. */
export const reservedWords: ReadonlySet<string> = new Set(
  'as assert async await class del except finally from global import is nonlocal raise try while with yield'.split(
    ' ',
  ),
)

/** Longer ones first. */
export const symbol =
  /\.\.\.|<<=|>>=|\/\/=|\*\*|==|!=|<=|>=|\+=|-=|\*=|\/=|%=|\|=|&=|\^=|->|\/\/|<<|>>|[-+*/%=<>()[\]{},.:;|&^~]/y

/** How a token is named in a complaint. */
export function shown(token: Token): string {
  switch (token.kind) {
    case 'name':
    case 'keyword':
    case 'symbol':
      return `'${token.text}'`
    case 'integer':
      return `'${token.value}'`
    case 'string':
    case 'template':
      return 'a string'
    case 'line-end':
      return 'the end of the line'
    case 'indent':
      return 'an indented line'
    case 'dedent':
      return 'the end of the block'
    case 'file-end':
      return 'the end of the file'
  }
}
