/** Words, literals and signs of a source text, without what formatting changes. */

export interface Token {
  readonly kind: 'word' | 'number' | 'string' | 'sign' | 'comment' | 'newline'
  /** Strings with one kind of quotes wherever that changes nothing. */
  readonly text: string
  /** Where it stands in the source, as it is written there. */
  readonly start: number
  readonly end: number
  /** From 1. */
  readonly line: number
}

const signs = String.raw`===|!==|\*\*=|\/\/=|<<=|>>=|\.\.=|\.\.<|\.\.\.|\*\*|\/\/|<=|>=|==|!=|&&|\|\||->|=>|<-|::|:=|\+\+|--|[-+*/%&|^]=|<<|>>|\.\.|[^\s\w]`

/** Every token in order, comments and newlines too. Never throws: what fits nowhere is a sign of its own. */
export function tokensOf(text: string, { comment, string, keepsNewlines }: Lexis): readonly Token[] {
  const pattern = new RegExp(
    `(?<newline>\\r?\\n)|(?<space>\\\\\\r?\\n|[^\\S\\n]+)|(?<comment>${comment})|(?<string>${string})|(?<number>\\d\\w*(?:\\.\\d\\w*)?)|(?<word>[\\p{L}_$][\\p{L}\\p{N}_$]*)|(?<sign>${signs})`,
    'gu',
  )
  const tokens: Token[] = []
  let line = 1
  for (const { 0: all, index, groups = {} } of text.matchAll(pattern)) {
    const kind = kindOf(groups)
    if (kind !== 'space' && (kind !== 'newline' || keepsNewlines)) {
      const normal = kind === 'string' ? oneQuote(all) : all.trim()
      tokens.push({ kind, text: normal, start: index, end: index + all.length, line })
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

function oneQuote(literal: string): string {
  const match = /^(\w*)'((?:[^'"\\]|\\[^'"])*)'$/su.exec(literal)
  return match === null ? literal.replaceAll('\r\n', '\n') : `${match[1] ?? ''}"${match[2] ?? ''}"`
}

/** 1 for an opening bracket, -1 for a closing one. @param opening which kinds of brackets count */
export function depthChange(token: Token | undefined, opening = '([{'): number {
  if (token?.kind !== 'sign') return 0
  if (opening.includes(token.text)) return 1
  return opening.includes(pairs.get(token.text) ?? 'none') ? -1 : 0
}

const pairs: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
])

/** How languages write comments and strings. */

export interface Lexis {
  /** Sources of regular expressions. */
  readonly comment: string
  readonly string: string
  /** Newlines mean something: they come as tokens. */
  readonly keepsNewlines: boolean
}

const slashes = String.raw`\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)`
const double = String.raw`"(?:\\.|[^"\\\n])*"`
const single = String.raw`'(?:\\.|[^'\\\n])*'`
const triple = String.raw`"{3}[\s\S]*?(?:"{3}|$)`

function braces(string: string): Lexis {
  return { comment: slashes, string, keepsNewlines: false }
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
}
/** What stands before a pattern; elsewhere a slash divides. */
const beforePattern = String.raw`(?:^|[=(,:!&|?;{[~]|=>|(?<![\w$.])(?:await|case|delete|do|else|in|instanceof|new|of|return|throw|typeof|void|yield))\s*`
const pattern = String.raw`\/(?<=${beforePattern}\/)(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*`
const tick = '`'
/** A template in which nothing nests; any other leaves its first quote behind as a sign. */
const template = String.raw`${tick}(?:\\[\s\S]|\$\{(?:[^{}${tick}"'/\\]|${double}|${single})*\}|\$(?!\{)|[^${tick}\\$])*${tick}`
/** `lexisOf` does not find it. Patterns are strings. */
export const javascriptLexis: Lexis = {
  comment: String.raw`^#![^\n]*|${slashes}`,
  string: [double, single, template, pattern].join('|'),
  keepsNewlines: true,
}
const byExtension: ReadonlyMap<string, Lexis> = new Map([
  ['go', go],
  ['rs', rust],
  ['cs', csharp],
  ...['java', 'kt', 'kts', 'scala', 'groovy', 'swift'].map((extension) => [extension, java] as const),
])

/** Of languages with braces, by the ending of the file's name. Undefined: it is in none of these. */
export function lexisOf(path: string): Lexis | undefined {
  return byExtension.get(path.slice(path.lastIndexOf('.') + 1))
}
