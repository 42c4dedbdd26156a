import type { FileFacts, SkipKind, TestFacts } from '../facts.ts'
import { closingOf, codeOf, depthChange, textOf, tokensOf, type Token } from '../source/tokens.ts'
import { callAssertions } from './call-assertions.ts'
import type { BraceLanguage } from './languages.ts'

interface Found {
  readonly name: string
  readonly line: number
  /** Annotations and modifiers, up to the name. */
  readonly head: string
  readonly body: readonly Token[]
  /** Heads of the classes and modules around it. */
  readonly around: string
}

/**
 * Java, Kotlin, C#, Rust, PHP: functions with their marks, and assertions by the usual names. Undefined: its brackets do not
 * match.
 */
export function readBraceFacts(text: string, language: BraceLanguage): FileFacts | undefined {
  const tokens = codeOf(tokensOf(text, language.lexis))
  if (tokens.reduce((depth, token) => depth + depthChange(token), 0) !== 0) return undefined
  const functions = functionsIn(tokens, '')
  const isTest = ({ name, head, around }: Found) =>
    language.isTest.test(head) || (language.isTestName?.test(name) === true && /Test|Spec/u.test(around))
  return {
    tests: functions.filter(isTest).map((found) => testOf(found, language)),
    functions: functions
      .filter((found) => !isTest(found))
      .map(({ name, line, body }) => ({ name, line, body: textOf(body), assertions: callAssertions(body) })),
  }
}

/** Functions at any depth of classes and modules, in order. */
function functionsIn(tokens: readonly Token[], around: string): readonly Found[] {
  const found: Found[] = []
  let start = 0
  for (let index = 0; index < tokens.length; index += 1) {
    const text = tokens[index]?.text
    if (text === ';') start = index + 1
    if (text === '(' || text === '[') {
      index = closingOf(tokens, index)
      continue
    }
    if (text !== '{') continue
    const close = closingOf(tokens, index)
    const head = tokens.slice(start, index)
    const body = tokens.slice(index + 1, close)
    const name = functionName(head)
    if (name === undefined) found.push(...functionsIn(body, `${around} ${textOf(head)}`))
    else found.push({ name: name.text, line: name.line, head: textOf(head), body, around })
    index = close
    start = close + 1
  }
  return found
}

/** The word before the parameters; undefined for a class, a module, a namespace. */
function functionName(head: readonly Token[]): Token | undefined {
  const isType =
    /^(?:class|interface|enum|namespace|mod|impl|trait|struct|object|record|extension|protocol)$/u
  let depth = 0
  for (const [index, token] of head.entries()) {
    const isAnnotation = head[index - 1]?.text === '@' || depth > 0
    if (depth === 0 && !isAnnotation && isType.test(token.text)) return undefined
    const previous = head[index - 1]
    if (depth === 0 && token.text === '(' && previous !== undefined && isNameAt(head, index - 1))
      return previous
    depth += depthChange(token)
  }
  return undefined
}

function isNameAt(head: readonly Token[], index: number): boolean {
  const before = head[index - 1]?.text
  const isWord =
    /^(?:word|string)$/u.test(head[index]?.kind ?? '') ||
    head[index]?.text === '`' ||
    head[index]?.text === '>'
  return isWord && before !== '@' && before !== '.'
}

function testOf({ name, line, head, body, around }: Found, language: BraceLanguage): TestFacts {
  const text = textOf(body)
  return {
    name,
    line,
    skip: skipOf(`${around} ${head}`, text, language),
    isFocused: false,
    assertions: callAssertions(reachable(body)),
    body: text,
    cases: casesOf(head),
  }
}

/** Up to a `return` or an exit of the function itself. */
function reachable(body: readonly Token[]): readonly Token[] {
  let depth = 0
  const end = body.findIndex((token) => {
    depth += depthChange(token)
    return depth === 0 && /^(?:return|exit|die)$/u.test(token.text)
  })
  return end === -1 ? body : body.slice(0, end)
}

function skipOf(head: string, body: string, language: BraceLanguage): SkipKind {
  if (language.skips.test(head)) return 'always'
  if (language.expectsFailure?.test(head) === true) return 'expected-to-fail'
  if (!language.skipCall.test(body)) return 'none'
  return /^(?:\$ ?this -> |\w+ \. )?(?:markTest\w+|Ignore|Inconclusive|Pass|Skip) \(/u.test(body) ||
    body.includes('assumeTrue ( false')
    ? 'always'
    : 'conditional'
}

/** Rows that stand before the test: `@CsvSource`, `[InlineData]`, `[TestCase]`, `#[test_case]`. */
function casesOf(head: string): number | null {
  const marks = head.match(/\[ (?:InlineData|TestCase|DataRow)\b|# \[ (?:test_case|case)\b/gu)?.length ?? 0
  const source = /@ (?:CsvSource|ValueSource)\b(.*)/u.exec(head)?.[1] ?? ''
  const rows = source === '' ? 0 : source.split(/(?:"[^"]*"|'[^']*'|\b\d+\b)/u).length - 1
  return marks + rows === 0 ? null : marks + rows
}
