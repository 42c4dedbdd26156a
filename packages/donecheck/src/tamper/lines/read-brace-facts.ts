import type { FunctionFacts, PlacedText, ReadFacts, SkipKind, TestFacts } from '../facts.ts'
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

/** Java, Kotlin, C#, Rust, PHP: functions with their marks, and assertions by the usual names. */
export function readBraceFacts(text: string, language: BraceLanguage): ReadFacts {
  const all = tokensOf(text, language.lexis)
  const tokens = codeOf(all)
  if (tokens.reduce((depth, token) => depth + depthChange(token), 0) !== 0) {
    return { kind: 'unreadable', problem: 'its brackets do not match' }
  }
  const functions = functionsIn(tokens, '')
  const isTest = ({ name, head, around }: Found) =>
    language.isTest.test(head) || (language.isTestName?.test(name) === true && /Test|Spec/u.test(around))
  const others = functions.filter((found) => !isTest(found))
  return {
    kind: 'facts',
    facts: {
      tests: functions.filter(isTest).map((found) => testOf(found, language)),
      functions: others.map((found): FunctionFacts => ({
        name: found.name,
        line: found.line,
        body: textOf(found.body),
      })),
      helperAssertions: others.flatMap(({ body }) => callAssertions(body)),
      exits: functions.flatMap(({ line, body }) => matches(textOf(body), line, language.exits)),
      fileSkips: [],
      mocks: [],
      overrides: [],
      limits: [],
      suppressions: [
        ...all
          .filter((token) => token.kind === 'comment')
          .flatMap(({ line, text: comment }) => matches(comment, line, language.silences)),
        ...functions.flatMap(({ line, head }) => matches(head, line, language.silences)),
      ],
    },
  }
}

function matches(text: string, line: number, pattern: RegExp): readonly PlacedText[] {
  const found = pattern.exec(text)?.[0]
  return found === undefined ? [] : [{ line, text: found }]
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
  const assertions = callAssertions(body)
  const end = body.findIndex((token, index) => {
    if (token.text !== 'return') return /^(?:exit|die)$/u.test(token.text)
    const next = body[index + 1]
    return next === undefined || /^[;}]$/u.test(next.text) || next.line > token.line
  })
  const endLine = body[end]?.line
  const first = assertions[0]?.line ?? Infinity
  return {
    name,
    line,
    skip: skipOf(`${around} ${head}`, text, language),
    isFocused: false,
    endsEarlyAt:
      body.length === 0
        ? line
        : endLine !== undefined && end < body.length - 2 && endLine <= first
          ? endLine
          : null,
    swallowsAt: swallowsAt(body),
    assertions: /\bif \( false \) \{|\bif false \{/u.test(text) ? [] : assertions,
    timeoutMs: null,
    retries: Number(/@ (?:RetryingTest|Retry|RepeatedIfExceptionsTest) \( (\d+)/u.exec(head)?.[1] ?? 0),
    body: text,
    cases: casesOf(head),
  }
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

/** A `catch` around an assertion that raises nothing again. */
function swallowsAt(body: readonly Token[]): number | null {
  for (const [index, token] of body.entries()) {
    if (token.text !== 'catch') continue
    const tryAt = body.findLastIndex(({ text }, place) => place < index && text === 'try')
    const open = body.findIndex(({ text }, place) => place > index && text === '{')
    const handler = open === -1 ? '' : textOf(body.slice(open + 1, closingOf(body, open)))
    const caught = textOf(body.slice(index, open === -1 ? undefined : open))
    const catchesAll =
      /\b(?:Throwable|AssertionError|Error|AssertionFailedError|Exception|AssertionFailedException)\b/u.test(
        caught,
      )
    const hasAssertion = callAssertions(body.slice(tryAt, index)).length > 0
    if (hasAssertion && catchesAll && !/\b(?:throw|fail|Fail|assert\w*|Assert)\b/u.test(handler))
      return token.line
  }
  return null
}

/** Rows that stand before the test: `@CsvSource`, `[InlineData]`, `[TestCase]`, `#[test_case]`. */
function casesOf(head: string): number | null {
  const marks = head.match(/\[ (?:InlineData|TestCase|DataRow)\b|# \[ (?:test_case|case)\b/gu)?.length ?? 0
  const source = /@ (?:CsvSource|ValueSource)\b(.*)/u.exec(head)?.[1] ?? ''
  const rows = source === '' ? 0 : source.split(/(?:"[^"]*"|'[^']*'|\b\d+\b)/u).length - 1
  return marks + rows === 0 ? null : marks + rows
}
