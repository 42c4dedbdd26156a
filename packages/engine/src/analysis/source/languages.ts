/** How languages write comments and strings. */

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
/** What stands before a pattern; elsewhere a slash divides. */
const beforePattern = String.raw`(?:^|[=(,:!&|?;{[~]|=>|(?<![\w$.])(?:await|case|delete|do|else|in|instanceof|new|of|return|throw|typeof|void|yield))\s*`
const pattern = String.raw`\/(?<=${beforePattern}\/)(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*`
const tick = '`'
/** A template in which nothing nests; any other leaves its first quote behind as a sign. */
const template = String.raw`${tick}(?:\\[\s\S]|\$\{(?:[^{}${tick}"'/\\]|${double}|${single})*\}|\$(?!\{)|[^${tick}\\$])*${tick}`
/** `lexisOf` does not find it: most readers take the syntax tree. Patterns are strings. */
export const javascriptLexis: Lexis = {
  comment: String.raw`^#![^\n]*|${slashes}`,
  string: [double, single, template, pattern].join('|'),
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
