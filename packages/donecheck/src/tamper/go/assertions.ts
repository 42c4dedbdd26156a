/** Assertions of Go: `if got != want { t.Error… }`, testify, gotest.tools, gomega. */
import type { AssertionFacts, AssertionStrength } from '../facts.ts'
import { assertionsOf } from '../source/conditions.ts'
import { argumentsAt, closingOf, codeOf, splitAt, textOf, type Token } from '../source/tokens.ts'

const fails = /^(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/u

export function goAssertions(body: readonly Token[]): readonly AssertionFacts[] {
  const tokens = codeOf(body)
  const claimed = new Set<number>()
  return tokens.flatMap((token, index): readonly AssertionFacts[] => {
    if (token.text === 'if') return guardAt(tokens, index, claimed)
    if (tokens[index + 1]?.text !== '(' || tokens[index - 1]?.text !== '.') return []
    const owner = tokens[index - 2]?.text ?? ''
    if (/^(?:assert|require|is|must|qt|c)$/u.test(owner) && /^\p{Lu}/u.test(token.text))
      return [callAt(tokens, index)]
    if (/^(?:To|Should|NotTo|ToNot|ShouldNot)$/u.test(token.text)) return [expectationAt(tokens, index)]
    const isFailure =
      fails.test(token.text) && !claimed.has(index) && /^(?:t|tb|b|f|s|st|sub|tt)$/u.test(owner)
    if (!isFailure) return []
    return [
      {
        line: token.line,
        subject: '',
        matcher: token.text,
        strength: 'presence',
        expected: null,
        isNegated: false,
      },
    ]
  })
}

/** `if init; condition { … t.Errorf(…) … }`: fails when the condition holds. */
function guardAt(tokens: readonly Token[], start: number, claimed: Set<number>): readonly AssertionFacts[] {
  const open = blockStart(tokens, start + 1)
  const close = closingOf(tokens, open)
  const failures = tokens.flatMap((token, index) => {
    const isOwn = index > open && index < close && fails.test(token.text) && tokens[index - 1]?.text === '.'
    return isOwn && !isNested(tokens, open, index) ? [index] : []
  })
  if (open === -1 || failures.length === 0) return []
  for (const index of failures) claimed.add(index)
  const { line } = tokens[start] ?? { line: 1 }
  const parts = splitByLastSemicolon(tokens.slice(start + 1, open))
  const setting = parts.init.length === 0 ? '' : `${textOf(parts.init)} ; `
  return splitAt(parts.condition, ({ text }) => text === '||').map((part) => heldBack(part, line, setting))
}

/** The condition of a guard says when the test fails: the assertion is its opposite. */
function heldBack(condition: readonly Token[], line: number, setting: string): AssertionFacts {
  const hasNever = splitAt(condition, ({ text }) => text === '&&').some((part) => textOf(part) === 'false')
  const not: readonly Token[] = [{ kind: 'sign', text: '!', line }, ...bracketed(condition, line)]
  const [found] = assertionsOf(not, line)
  const strength = hasNever ? 'trivial' : strengthOfGuard(textOf(condition), found?.strength ?? 'presence')
  const subject = `${setting}${found?.subject ?? textOf(condition)}`
  return {
    line,
    subject,
    matcher: found?.matcher ?? 'if',
    strength,
    expected: found?.expected ?? null,
    isNegated: found?.isNegated ?? false,
  }
}

function bracketed(condition: readonly Token[], line: number): readonly Token[] {
  return [{ kind: 'sign', text: '(', line }, ...condition, { kind: 'sign', text: ')', line }]
}

function strengthOfGuard(condition: string, found: AssertionStrength): AssertionStrength {
  if (/^! (?:\w+ \. )?(?:DeepEqual|Equal|EqualFold)\b/u.test(condition)) return 'exact'
  if (/^! (?:\w+ \. )?(?:Contains|HasPrefix|HasSuffix|MatchString|Is|As)\b/u.test(condition)) return 'partial'
  return found
}

function isNested(tokens: readonly Token[], open: number, at: number): boolean {
  return tokens.some((token, index) => {
    if (token.text !== 'if' || index <= open || index >= at) return false
    const inner = blockStart(tokens, index + 1)
    return inner !== -1 && inner < at && closingOf(tokens, inner) > at
  })
}

function blockStart(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let index = from; index < tokens.length; index += 1) {
    const text = tokens[index]?.text ?? ''
    if (text === '{' && depth === 0) return index
    if (text === '(' || text === '[' || text === '{') depth += 1
    if (text === ')' || text === ']' || text === '}') depth -= 1
  }
  return -1
}

function splitByLastSemicolon(head: readonly Token[]) {
  const at = head.findLastIndex(({ text }) => text === ';')
  return { init: at === -1 ? [] : head.slice(0, at), condition: head.slice(at + 1) }
}

const presence = /^(?:NotNil|NotEmpty|NotZero|NotPanics|IsType|Implements|NoErrorf?)$/u
const partial =
  /^(?:Contains|NotContains|Regexp|NotRegexp|InDelta|InEpsilon|Error|Errorf|ErrorContains|ErrorAs|Greater\w*|Less\w*|Subset|NotEqual|Panics\w*|WithinDuration|Empty|Positive|Negative)$/u

function callAt(tokens: readonly Token[], index: number): AssertionFacts {
  const { text: matcher, line } = tokens[index] ?? { text: '', line: 1 }
  const args = argumentsAt(tokens, index + 1)
  const rest = args.slice(/^(?:t|tb|b|s)$/u.test(textOf(args[0] ?? [])) ? 1 : 0)
  if (/^(?:True|False|Truef|Falsef|Assert)$/u.test(matcher)) return truthOf(matcher, rest[0] ?? [], line)
  const isPair = /Equal|Exactly|JSONEq|YAMLEq|Same|ElementsMatch|InDelta|InEpsilon|IsType|Regexp/u.test(
    matcher,
  )
  const subject = textOf(rest[isPair ? 1 : 0] ?? [])
  const expected = isPair || rest.length > 1 ? textOf(rest[isPair ? 0 : 1] ?? []) : null
  const isSame = isPair && subject === expected && !matcher.startsWith('Not')
  const strength = presence.test(matcher) ? 'presence' : partial.test(matcher) ? 'partial' : 'exact'
  return {
    line,
    subject,
    matcher,
    strength: isSame ? 'trivial' : strength,
    expected,
    isNegated: matcher.startsWith('Not'),
  }
}

function truthOf(matcher: string, condition: readonly Token[], line: number): AssertionFacts {
  const not: readonly Token[] = matcher.startsWith('False') ? [{ kind: 'sign', text: '!', line }] : []
  const [found] = assertionsOf([...not, ...condition], line)
  return found ?? { line, subject: '', matcher, strength: 'trivial', expected: null, isNegated: false }
}

/** Gomega: `Expect(got).To(Equal(want))`. */
function expectationAt(tokens: readonly Token[], index: number): AssertionFacts {
  const { text: matcher, line } = tokens[index] ?? { text: '', line: 1 }
  const expected = argumentsAt(tokens, index + 1)
    .map(textOf)
    .join(' , ')
  const start = tokens.findLastIndex(
    ({ text }, place) => place < index && /^(?:Expect|Ω|Eventually|Consistently)$/u.test(text),
  )
  const subject = argumentsAt(tokens, start + 1)
    .map(textOf)
    .join(' , ')
  const strength = /^(?:Equal|BeIdenticalTo|Succeed|BeTrue|BeFalse|BeNil|HaveLen|ConsistOf|BeZero)\b/u.test(
    expected,
  )
    ? 'exact'
    : 'partial'
  return { line, subject, matcher: 'To', strength, expected, isNegated: matcher.includes('Not') }
}
