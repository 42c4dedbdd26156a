/** Assertions that are calls with the usual names: `assertEquals(a, b)`, `assert_eq!(a, b)`, `assertThat(a).isEqualTo(b)`. */
import type { AssertionFacts, AssertionStrength } from '../facts.ts'
import { assertionsOf } from '../source/conditions.ts'
import { argumentsAt, closingOf, codeOf, textOf, type Token } from '../source/tokens.ts'

const starts = /^(?:assert\w*|debug_assert\w*|expect|expectThat|verify|XCTAssert\w*|should\w*)$/u

export function callAssertions(body: readonly Token[]): readonly AssertionFacts[] {
  const tokens = codeOf(body)
  return tokens.flatMap((token, index): readonly AssertionFacts[] => {
    const open = tokens[index + 1]?.text === '!' ? index + 2 : index + 1
    if (token.kind !== 'word' || tokens[open]?.text !== '(') return []
    const isStatic =
      /^(?:Assert|Assertions|self|static)$/u.test(tokens[index - 2]?.text ?? '') &&
      /^(?:\.|::)$/u.test(tokens[index - 1]?.text ?? '')
    const isPlain =
      starts.test(token.text) && !/^(?:assertThat|expect|expectThat|assume\w*)$/u.test(token.text)
    if (/^(?:assertThat|expect|expectThat|That)$/u.test(token.text)) return fluentAt(tokens, index, open)
    if (token.text === 'Should' && tokens[index - 1]?.text === '.') return shouldAt(tokens, index, open)
    if (!isPlain && !(isStatic && !/^(?:Ignore|Pass|Skip|Inconclusive)$/u.test(token.text))) return []
    return plainAt(tokens, index, open)
  })
}

function plainAt(tokens: readonly Token[], index: number, open: number): readonly AssertionFacts[] {
  const { text: matcher, line } = tokens[index] ?? { text: '', line: 1 }
  const args = argumentsAt(tokens, open)
  if (/^(?:assert|debug_assert|assertTrue|True|IsTrue|XCTAssert|XCTAssertTrue)$/u.test(matcher)) {
    return assertionsOf(args.find((arg) => arg[0]?.kind !== 'string') ?? [], line)
  }
  if (/^(?:assertFalse|False|IsFalse|XCTAssertFalse)$/u.test(matcher)) {
    return assertionsOf([{ kind: 'sign', text: '!', line }, ...(args[0] ?? [])], line)
  }
  const [first = '', second] = args.map(textOf)
  // Languages do not agree which side is the expected one: the literal is.
  const isSwapped = second !== undefined && isLiteral(first) && !isLiteral(second)
  const subject = isSwapped ? second : first
  const expected = isSwapped ? first : (second ?? null)
  const isSame =
    (subject === expected || (isLiteral(subject) && isLiteral(expected ?? ''))) && !/not|ne$/iu.test(matcher)
  return [
    {
      line,
      subject,
      matcher,
      strength: isSame ? 'trivial' : strengthOf(matcher),
      expected,
      isNegated: /not|_ne$/iu.test(matcher),
    },
  ]
}

function isLiteral(text: string): boolean {
  return /^-? ?(?:\d[\w.]*|"[^"]*"|'[^']*'|true|false|null)$/u.test(text)
}

function strengthOf(matcher: string): AssertionStrength {
  if (
    /NotNull|NotEmpty|NotNil|InstanceOf|DoesNotThrow|IsNotNull|isNotNull|BeTruthy|Defined|matches$/u.test(
      matcher,
    )
  )
    return 'presence'
  if (
    /Contains|Throws|Greater|Less|Match|Regex|NotEqual|NotSame|_ne|StartsWith|EndsWith|Timeout|HasKey|Empty/iu.test(
      matcher,
    )
  )
    return 'partial'
  return 'exact'
}

/** `assertThat(x).isEqualTo(y)`: the last link of the chain says what is expected. */
function fluentAt(tokens: readonly Token[], index: number, open: number): readonly AssertionFacts[] {
  const { line } = tokens[index] ?? { line: 1 }
  const inside = argumentsAt(tokens, open)
  const names: string[] = []
  const expected: string[] = []
  let at = closingOf(tokens, open) + 1
  while (/^(?:\.|->)$/u.test(tokens[at]?.text ?? '')) {
    names.push(tokens[at + 1]?.text ?? '')
    const call = tokens[at + 2]?.text === '(' ? at + 2 : -1
    if (call !== -1) expected.push(argumentsAt(tokens, call).map(textOf).join(' , '))
    at = call === -1 ? at + 2 : closingOf(tokens, call) + 1
  }
  const [subject = '', ...rest] = inside.map(textOf)
  const wanted = [...rest, ...expected].filter((text) => text !== '').join(' ; ')
  const matcher = [tokens[index]?.text ?? '', ...names].join('.')
  const isSame = subject === wanted || (isLiteral(subject) && (isLiteral(wanted) || wanted === ''))
  const isExact =
    /isEqualTo|isSameAs|toBe$|Is \. EqualTo|toEqual|hasSize|isTrue|isFalse|containsExactly/u.test(
      `${matcher} ${wanted}`,
    )
  const isPresence = /isNotNull|isNotEmpty|Not \. Null|isInstanceOf/u.test(`${matcher} ${wanted}`)
  const strength = isSame ? 'trivial' : isPresence ? 'presence' : isExact ? 'exact' : 'partial'
  return [{ line, subject, matcher, strength, expected: wanted === '' ? null : wanted, isNegated: false }]
}

/** FluentAssertions: `x.Should().Be(y)`. */
function shouldAt(tokens: readonly Token[], index: number, open: number): readonly AssertionFacts[] {
  const { line } = tokens[index] ?? { line: 1 }
  const start = tokens.findLastIndex(({ text }, place) => place < index && /^[;{}]$/u.test(text))
  const link = closingOf(tokens, open) + 2
  const matcher = tokens[link]?.text ?? ''
  const expected = argumentsAt(tokens, link + 1)
    .map(textOf)
    .join(' , ')
  const subject = textOf(tokens.slice(start + 1, index - 1))
  const strength = /NotBeNull|NotBeEmpty|BeOfType/u.test(matcher)
    ? 'presence'
    : /^(?:Be|Equal|BeEquivalentTo|BeTrue|BeFalse|HaveCount|BeNull)$/u.test(matcher)
      ? 'exact'
      : 'partial'
  return [
    {
      line,
      subject,
      matcher,
      strength: subject === expected ? 'trivial' : strength,
      expected,
      isNegated: matcher.startsWith('Not'),
    },
  ]
}
