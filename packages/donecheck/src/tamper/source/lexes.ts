/** How the languages with braces write comments and strings. */
import type { Lexis } from './tokens.ts'

const slashes = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`
const double = String.raw`"(?:\\.|[^"\\\n])*"`
const single = String.raw`'(?:\\.|[^'\\\n])*'`
const triple = String.raw`"{3}[\s\S]*?(?:"{3}|$)`

function lexis(comment: string, string: string): Lexis {
  return { comment, string, keepsNewlines: false }
}

const goLexis: Lexis = {
  ...lexis(slashes, `${double}|\`[^\`]*(?:\`|$)|${single}`),
  keepsNewlines: true,
}

const javaLexis = lexis(slashes, `${triple}|${double}|${single}`)

const csharpLexis = lexis(slashes, String.raw`${triple}|@"(?:""|[^"])*(?:"|$)|\$?${double}|${single}`)

const rustLexis = lexis(
  slashes,
  String.raw`\b[bc]?r(?<hashes>#*)"[\s\S]*?(?:"\k<hashes>|$)|(?:\b[bc])?"(?:\\[\s\S]|[^"\\])*(?:"|$)|\bb?'(?:\\'|\\[^'\n]{1,12}|[^'\\\n])'|'(?:\\'|\\[^'\n]{1,12}|[^'\\\n])'`,
)

/** By the ending of the file's name. */
const lexes: Readonly<Record<string, Lexis>> = {
  ...{ go: goLexis, rs: rustLexis, cs: csharpLexis },
  ...{
    java: javaLexis,
    kt: javaLexis,
    kts: javaLexis,
    scala: javaLexis,
    groovy: javaLexis,
    swift: javaLexis,
  },
}

/** Undefined: no language with braces that is known here. */
export function lexisOf(path: string): Lexis | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1)
  return Object.hasOwn(lexes, extension) ? lexes[extension] : undefined
}
