/** Languages that are read by their tokens: how they write comments and texts, and what their statements look like. */

export interface LineLanguage {
  /** Sources of regular expressions. */
  readonly comment: string
  readonly string: string
  readonly condition: 'parentheses' | 'before-brace' | 'python'
  /** What ends a statement that is a call; undefined: such a call is left alone. */
  readonly callEnd: ';' | '' | undefined
  readonly emptyStatement: string
  /** What an untyped function returns instead; undefined: types stand in the way. */
  readonly nothing: string | undefined
  /** `*` may make a pointer. */
  readonly hasPointers: boolean
}

const slashes = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`
const double = String.raw`"(?:\\.|[^"\\\n])*"`
const single = String.raw`'(?:\\.|[^'\\\n])*'`
const triple = String.raw`"{3}[\s\S]*?(?:"{3}|$)`

const braces: LineLanguage = {
  comment: slashes,
  string: `${triple}|${double}|${single}`,
  condition: 'parentheses',
  callEnd: ';',
  emptyStatement: ';',
  nothing: undefined,
  hasPointers: false,
}

const python: LineLanguage = {
  comment: String.raw`#[^\n]*`,
  string: String.raw`[rRbBfFuU]{0,2}(?:${triple}|'{3}[\s\S]*?(?:'{3}|$)|${double}|${single})`,
  condition: 'python',
  callEnd: '',
  emptyStatement: 'pass',
  nothing: 'None',
  hasPointers: false,
}

const go: LineLanguage = {
  ...braces,
  string: `${double}|\`[^\`]*(?:\`|$)|${single}`,
  condition: 'before-brace',
  callEnd: undefined,
}

const rust: LineLanguage = {
  ...braces,
  string: String.raw`\bb?r(?<hashes>#*)"[\s\S]*?(?:"\k<hashes>|$)|b?"(?:\\[\s\S]|[^"\\])*(?:"|$)|'(?:\\[^'\n]+|[^'\\\n])'`,
  condition: 'before-brace',
}

const csharp: LineLanguage = {
  ...braces,
  string: String.raw`\$?@"(?:""|[^"])*(?:"|$)|\$?(?:${braces.string})`,
}

const c: LineLanguage = { ...braces, hasPointers: true }

const swift: LineLanguage = { ...braces, condition: 'before-brace', callEnd: undefined }

const kotlin: LineLanguage = { ...braces, callEnd: undefined }

const byExtension: ReadonlyMap<string, LineLanguage> = new Map([
  ['py', python],
  ['go', go],
  ['rs', rust],
  ['java', braces],
  ['dart', braces],
  ['kt', kotlin],
  ['scala', kotlin],
  ['groovy', kotlin],
  ['cs', csharp],
  ['swift', swift],
  ...['c', 'h', 'cc', 'cpp', 'cxx', 'hpp', 'hh', 'm'].map((extension) => [extension, c] as const),
])

/** Undefined: none that is read by its tokens. */
export function lineLanguageOf(path: string): LineLanguage | undefined {
  return byExtension.get(path.slice(path.lastIndexOf('.') + 1))
}
