/** How languages write comments and strings. JavaScript is read by its syntax tree instead. */

export interface Lexis {
  /** Sources of regular expressions. */
  readonly comment: string
  readonly string: string
  /** Newlines mean something: they come as tokens. */
  readonly keepsNewlines: boolean
  /** Sources with the same tokens do the same: no indentation and no preprocessor. */
  readonly isFreeForm: boolean
}

const slashes = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`
const double = String.raw`"(?:\\.|[^"\\\n])*"`
const single = String.raw`'(?:\\.|[^'\\\n])*'`
const triple = String.raw`"{3}[\s\S]*?(?:"{3}|$)`

function braces(string: string): Lexis {
  return { comment: slashes, string, keepsNewlines: false, isFreeForm: true }
}

const go: Lexis = { ...braces(`${double}|\`[^\`]*(?:\`|$)|${single}`), keepsNewlines: true }
const java = braces(`${triple}|${double}|${single}`)
const csharp = braces(String.raw`\$?@"(?:""|[^"])*(?:"|$)|\$?(?:${triple}|${double})|${single}`)
const rust = braces(
  String.raw`\b[bc]?r(?<hashes>#*)"[\s\S]*?(?:"\k<hashes>|$)|(?:\b[bc])?"(?:\\[\s\S]|[^"\\])*(?:"|$)|\bb?'(?:\\'|\\[^'\n]{1,12}|[^'\\\n])'|'(?:\\'|\\[^'\n]{1,12}|[^'\\\n])'`,
)
export const pythonLexis: Lexis = {
  comment: '#[^\\n]*',
  string: String.raw`(?:\b[rRbBfFuUtT]{1,2})?(?:"{3}(?:\\[\s\S]|[^\\])*?(?:"{3}|$)|'{3}(?:\\[\s\S]|[^\\])*?(?:'{3}|$)|${double}|${single})`,
  keepsNewlines: true,
  isFreeForm: false,
}
/** What it does also depends on lines that begin with `#`, or on more than is read here. */
const c: Lexis = { ...java, isFreeForm: false }

const byExtension: ReadonlyMap<string, Lexis> = new Map([
  ['py', pythonLexis],
  ['go', go],
  ['rs', rust],
  ['cs', csharp],
  ...['java', 'kt', 'kts', 'scala', 'groovy', 'swift'].map((extension) => [extension, java] as const),
  ...['c', 'h', 'cc', 'cpp', 'cxx', 'hpp', 'hh', 'm', 'dart'].map((extension) => [extension, c] as const),
])

/** By the ending of the file's name. Undefined: it is in none of these languages. */
export function lexisOf(path: string): Lexis | undefined {
  return byExtension.get(path.slice(path.lastIndexOf('.') + 1))
}
