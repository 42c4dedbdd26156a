/** Sources whose words are the same do the same: what a formatter may change, and nothing else. */
import type { FileChange } from './rules.ts'
import { depthChange, javascriptLexis, lexisOf, pythonLexis, tokensOf, type Token } from './tokens.ts'

/**
 * Paths of changed check-side files that ask the same as before: a file that was only formatted, and one that has only another
 * name, with the new path. Tests that were only added need no rule: the earlier file is run without them. To take the
 * new one instead would let an added line decide, which may be a `return`, a skip or a patch of what is tested.
 */
export function excusedPaths(changes: readonly FileChange[]): ReadonlySet<string> {
  const isFormatted = changes.filter(wasOnlyFormatted).map(({ path }) => path)
  return new Set([...isFormatted, ...movesIn(changes).flat()])
}

function wasOnlyFormatted({ path, before, after }: FileChange): boolean {
  if (before?.kind !== 'file' || after?.kind !== 'file' || before.mode !== after.mode) return false
  return before.text !== null && after.text !== null && haveSameWords(path, before.text, after.text)
}

/** Each earlier file with the one new file that has its content and stands where whoever looks for the one looks for the other. */
function movesIn(changes: readonly FileChange[]): readonly (readonly [from: string, to: string])[] {
  const added = new Set(changes.filter(({ before }) => before === null))
  return changes.flatMap(({ path, before, after }): readonly (readonly [string, string])[] => {
    if (before?.kind !== 'file' || after !== null) return []
    const there = [...added].find(
      (other) =>
        other.after?.kind === 'file' &&
        other.after.digest === before.digest &&
        other.after.mode === before.mode &&
        isBeside(path, other.path),
    )
    if (there === undefined) return []
    added.delete(there)
    return [[path, there.path]]
  })
}

/** In the same folder, with the same marks of a test in its name. In another folder only the runner knows whether it looks there. */
function isBeside(path: string, other: string): boolean {
  const shape = shapeOf(path)
  return shape !== undefined && shape === shapeOf(other) && !/(?:^|\/)[._][^/]*$/u.test(other)
}

function shapeOf(path: string): string | undefined {
  const parts = /^(.*\/|)((?:test[_-])?)[\w-]+?((?:[_-](?:test|spec))?(?:\.[\w.]+)?)$/u.exec(path)
  return parts?.slice(1).join('|')
}

/** Longer texts are not compared. Characters. */
const maxLength = 2 ** 17

/** Line breaks that mean something, indentation, and less of it. No word is spelled like them. */
const newline = '\n'
const indent = '\n+'
const dedent = '\n-'

/**
 * Whether two versions of a source differ only in white space, trailing commas, quotes and semicolons. Comments count as words:
 * tools read them. False wherever that is not certain, and for languages that are not known here.
 */
export function haveSameWords(path: string, before: string, after: string): boolean {
  const then = wordsOf(path, before)
  const now = wordsOf(path, after)
  return then !== undefined && now !== undefined && JSON.stringify(then) === JSON.stringify(now)
}

/** Undefined: it cannot be told what belongs to them. */
function wordsOf(path: string, source: string): readonly string[] | undefined {
  if (source.length > maxLength || !isPlain(source)) return undefined
  const text = source.replaceAll('\r\n', '\n')
  if (path.endsWith('.py')) return pythonWords(text)
  if (/\.[cm]?[jt]sx?$/u.test(path)) return javascriptWords(path, text)
  return /\.(?:go|java|rs)$/u.test(path) ? otherWords(path, text) : undefined
}

/** Texts that every reader splits into the same lines: no lone carriage return, no other control character. */
function isPlain(text: string): boolean {
  return !/\r(?!\n)|[^\P{Cc}\t\r\n]|[\u2028\u2029\ufeff]/u.test(text)
}

/** Go, Java and Rust, whose formatters leave strings and commas of calls alone. */
function otherWords(path: string, text: string): readonly string[] | undefined {
  const lexis = lexisOf(path)
  if (lexis === undefined) return undefined
  const tokens = tokensOf(text, lexis)
  if (tokens.some(({ kind, text: sign }) => kind === 'sign' && /["`]/u.test(sign))) return undefined
  // An empty line parts a comment from what it would belong to; more than one changes nothing.
  const isNewline = (index: number) => tokens[index]?.kind === 'newline'
  return tokens
    .filter((_, index) => !(isNewline(index) && isNewline(index - 1) && isNewline(index - 2)))
    .map((token) => (token.kind === 'comment' ? commentText(token) : text.slice(token.start, token.end)))
}

function commentText({ text }: Token): string {
  return text.replaceAll(/^[ \t]+|[ \t]+$/gmu, '')
}

const pythonKeywords =
  /^(?:and|as|assert|await|case|del|elif|else|except|for|from|if|import|in|is|lambda|match|not|or|raise|return|while|with|yield)$/u

/** Tabs and continued lines whose depth is a question of its own, and a coding that is not UTF-8. */
const unclearPython = /^ *(?:\t|\\$)|^[ \t]*#.*?coding[:=][ \t]*(?!utf-?8\b)[-\w.]/imu

function pythonWords(text: string): readonly string[] | undefined {
  const tokens = tokensOf(text, pythonLexis)
  if (unclearPython.test(text) || tokens.some(isLooseQuote)) return undefined
  const words: string[] = []
  const columns = [0]
  /** Of each open bracket: whether it is a call, in which a comma at the end makes no tuple. */
  const open: { readonly isCall: boolean; commas: number }[] = []
  let startsLine = true
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'comment') words.push(commentText(token))
    if (token.kind === 'newline' && open.length === 0 && !startsLine) {
      words.push(newline)
      startsLine = true
    }
    if (token.kind === 'comment' || token.kind === 'newline') continue
    if (startsLine) {
      const column = token.start - (text.lastIndexOf('\n', token.start) + 1)
      if (column > (columns.at(-1) ?? 0)) {
        columns.push(column)
        words.push(indent)
      }
      for (; column < (columns.at(-1) ?? 0); columns.pop()) words.push(dedent)
      if (column !== columns.at(-1)) return undefined
      startsLine = false
    }
    const change = depthChange(token)
    const bracket = open.at(-1)
    if (change === -1 && open.pop() === undefined) return undefined
    if (change === 1) open.push({ isCall: isCall(token, tokens[index - 1]), commas: 0 })
    if (token.text === ',' && bracket !== undefined) {
      bracket.commas += 1
      if (closesNext(tokens, index + 1) && (bracket.isCall || bracket.commas > 1)) continue
    }
    words.push(token.text)
  }
  return open.length === 0 ? words : undefined
}

function isCall({ text }: Token, previous: Token | undefined): boolean {
  return text === '(' && previous?.kind === 'word' && !pythonKeywords.test(previous.text)
}

/** A bracket closes next, comments and line breaks apart. */
function closesNext(tokens: readonly Token[], from: number): boolean {
  let index = from
  while (tokens[index]?.kind === 'comment' || tokens[index]?.kind === 'newline') index += 1
  return depthChange(tokens[index]) === -1
}

function isLooseQuote({ kind, text }: Token): boolean {
  return kind === 'sign' && /["'`]/u.test(text)
}

/** Words behind which a statement goes on, or a line break ends it, or which mean something else in their place. */
const openWords =
  /^(?:abstract|accessor|as|asserts|async|await|break|case|class|const|continue|declare|default|delete|do|else|enum|export|extends|from|function|get|global|implements|import|in|infer|instanceof|interface|is|keyof|let|module|namespace|new|of|opaque|out|override|private|protected|public|readonly|return|satisfies|set|static|throw|type|typeof|unique|using|var|void|yield)$/u
/** Words that go on with the statement before them. */
const nextWords = /^(?:as|assert|extends|from|implements|in|instanceof|is|of|satisfies|with)$/u
/** A line break before them ends the statement where it could end. */
const afterBreak = /^(?:\+\+|--|!|=>|as|is|satisfies)$/u

/** A word of JavaScript, and whether a line break stands between it and the one before. */
interface Placed {
  readonly token: Token
  readonly startsLine: boolean
}

function javascriptWords(path: string, text: string): readonly string[] | undefined {
  // In the text of elements white space counts, and quotes and slashes are none. `<!--` begins a comment in scripts.
  if (/<!--|-->/u.test(text) || (!/\.[cm]?ts$/u.test(path) && /<\/|\/>/u.test(text))) return undefined
  const tokens = tokensOf(text, javascriptLexis)
  const placed = placeTokens(tokens)
  const code = placed.filter(({ token }) => token.kind !== 'comment')
  const headers = headerEnds(code)
  const ends = (token: Token | undefined) => token !== undefined && canEndStatement(token, headers)
  const words: string[] = []
  let index = -1
  for (const { token, startsLine } of placed) {
    if (token.kind === 'comment') {
      words.push(commentText(token))
      continue
    }
    index += 1
    const previous = code[index - 1]?.token
    const next = code[index + 1]?.token
    if (isLooseQuote(token) || (/^\/=?$/u.test(token.text) && !(ends(previous) && isOperand(previous))))
      return undefined
    if (token.text === ';' && ends(previous) && canStartStatement(next)) continue
    if (token.text === ',' && depthChange(next) === -1 && !/^[,[]$/u.test(previous?.text ?? '')) continue
    const isBreak = openWords.test(previous?.text ?? '') || (afterBreak.test(token.text) && ends(previous))
    if (startsLine && isBreak) words.push(newline)
    words.push(...(next?.text === '=>' && token.kind === 'word' ? ['(', token.text, ')'] : [token.text]))
  }
  return words
}

function placeTokens(tokens: readonly Token[]): readonly Placed[] {
  const placed: Placed[] = []
  let startsLine = false
  for (const token of tokens) {
    if (token.kind !== 'newline') placed.push({ token, startsLine })
    if (token.kind === 'newline') startsLine = true
    else if (token.kind === 'comment') startsLine ||= token.text.includes('\n')
    else startsLine = false
  }
  return placed
}

/** Brackets that close what stands before a statement, as in `if (a)`. */
function headerEnds(code: readonly Placed[]): ReadonlySet<Token> {
  const ends = new Set<Token>()
  const open: boolean[] = []
  for (const [index, { token }] of code.entries()) {
    const change = depthChange(token, '(')
    const before = code.slice(Math.max(0, index - 2), index).map((one) => one.token.text)
    if (change === 1) open.push(/(?:^| )(?:if|while|with|for|for await)$/u.test(before.join(' ')))
    if (change === -1 && open.pop() === true) ends.add(token)
  }
  return ends
}

function canEndStatement(token: Token, headers: ReadonlySet<Token>): boolean {
  if (token.kind === 'word') return !openWords.test(token.text)
  return token.kind !== 'sign' || /^[\]}]$/u.test(token.text) || (token.text === ')' && !headers.has(token))
}

function canStartStatement(token: Token | undefined): boolean {
  if (token?.kind === 'word') return !nextWords.test(token.text)
  return token === undefined || token.text === '}' || (token.kind === 'string' && /^["']/u.test(token.text))
}

/** What can be divided; behind a brace a slash may begin a pattern. */
function isOperand(token: Token | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'number' || /^[\])]$/u.test(token?.text ?? '')
}
