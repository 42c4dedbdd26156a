/** How the languages with braces write comments and strings. */
import type { Lexis } from './tokens.ts'

const slashes = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`
const double = String.raw`"(?:\\.|[^"\\\n])*"`
const single = String.raw`'(?:\\.|[^'\\\n])*'`
const triple = String.raw`"{3}[\s\S]*?(?:"{3}|$)`

function lexis(comment: string, string: string): Lexis {
  return { comment, string, keepsNewlines: false }
}

export const goLexis: Lexis = {
  ...lexis(slashes, `${double}|\`[^\`]*(?:\`|$)|${single}`),
  keepsNewlines: true,
}

export const javaLexis = lexis(slashes, `${triple}|${double}|${single}`)

export const csharpLexis = lexis(slashes, String.raw`${triple}|@"(?:""|[^"])*(?:"|$)|\$?${double}|${single}`)

export const rustLexis = lexis(
  slashes,
  String.raw`\b[bc]?r(?<hashes>#*)"[\s\S]*?(?:"\k<hashes>|$)|(?:\b[bc])?"(?:\\[\s\S]|[^"\\])*(?:"|$)|\bb?'(?:\\'|\\[^'\n]{1,12}|[^'\\\n])'|'(?:\\'|\\[^'\n]{1,12}|[^'\\\n])'`,
)

export const phpLexis = lexis(
  String.raw`\/\/[^\n]*|#(?!\[)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`,
  String.raw`"(?:\\[\s\S]|[^"\\])*(?:"|$)|'(?:\\[\s\S]|[^'\\])*(?:'|$)`,
)
