import { lexisOf } from '../source/lexes.ts'
import { tokensOf } from '../source/tokens.ts'
import { commentParts, type Parts } from './parts.ts'

/** Languages with braces: only that nothing but layout changed is proven. Undefined: another language. */
export function tokenParts(path: string, text: string): Parts | undefined {
  const lexis = lexisOf(path)
  if (lexis === undefined) return undefined
  const tokens = tokensOf(text, lexis)
  const code = tokens.filter(
    ({ kind }, index) => kind !== 'comment' && !(kind === 'newline' && tokens[index - 1]?.kind === 'newline'),
  )
  const words = code.map(({ kind, text: word }) => (kind === 'newline' ? '\n' : word)).join(' ')
  const comments = tokens.filter(({ kind }) => kind === 'comment').map((token) => token.text)
  return { tests: [], frame: [...commentParts(comments), { text: words.trim(), declares: null }] }
}
