/** Assertions of pytest, unittest, unittest.mock and numpy. */
import type { AssertionFacts, AssertionStrength } from '../facts.ts'
import { assertionsOf } from './conditions.ts'
import { argumentsAt, splitAt, textOf, type Token } from '../../source/index.ts'
import { blockText, type Statement } from './tree.ts'

/** Of one statement, without what is below it, unless it is a `with` that expects an error. */
export function assertionsIn(statement: Statement): readonly AssertionFacts[] {
  const { tokens, line } = statement
  if (tokens[0]?.text === 'assert') {
    const [condition = []] = splitAt(tokens.slice(1), (token) => token.text === ',')
    return assertionsOf(condition, line)
  }
  const raises = /\b(?:raises|assertRaises|assertRaisesRegex|warns|assertWarns|assertLogs|deprecated_call)$/u
  const at = tokens.findIndex(
    (token, index) => tokens[index + 1]?.text === '(' && (isCheck(token.text) || raises.test(token.text)),
  )
  const name = tokens[at]?.text ?? ''
  if (at === -1) return guardedFailure(statement)
  const args = argumentsAt(tokens, at + 1)
  if (raises.test(name)) return [raisesOf(statement, name, args)]
  if (/^(?:assertTrue|assertFalse)$/u.test(name)) return truthOf(name, args, line)
  const [actual = [], ...expected] =
    name.startsWith('assert_') && isMockCall(tokens, at) ? [tokens.slice(0, at - 1), ...args] : args
  return [callOf(name, actual, expected, line)]
}

function isCheck(name: string): boolean {
  return /^(?:assert[A-Z_]\w*|assert_that)$/u.test(name) && name !== 'assert_'
}

function isMockCall(tokens: readonly Token[], at: number): boolean {
  const isOfMock =
    /^assert_(?:called|any_call|has_calls|not_called|awaited|has_awaits|any_await|not_awaited)/u
  return tokens[at - 1]?.text === '.' && isOfMock.test(tokens[at]?.text ?? '')
}

function raisesOf(
  { line, children }: Statement,
  matcher: string,
  args: readonly (readonly Token[])[],
): AssertionFacts {
  const expected = args.map(textOf).join(' , ')
  const isAny = /^(?:Exception|BaseException)$/u.test(expected)
  const subject = blockText(children)
  // What the test raises itself says nothing about the code.
  const isOwn = /(?:^|; |: )raise\b|\. throw \(/u.test(subject)
  const strength = isOwn ? 'trivial' : isAny ? 'presence' : 'partial'
  return { line, subject, matcher, strength, expected, isNegated: false }
}

function truthOf(name: string, args: readonly (readonly Token[])[], line: number): readonly AssertionFacts[] {
  const [condition = []] = args
  const not = notAt(line)
  return assertionsOf(name === 'assertTrue' ? condition : [not, ...condition], line)
}

const partial =
  /In$|In[A-Z]|Greater|Less|Regex|Almost|Count|NotEqual|allclose|_has_calls|_any_call|less|array_less|approx/u
const presence =
  /IsNotNone|IsInstance|NotIsInstance|_called$|_called_once$|_awaited$|_awaited_once$|_not_called$|assert_that/u

function strengthOfCall(name: string): AssertionStrength {
  if (presence.test(name)) return 'presence'
  return partial.test(name) ? 'partial' : 'exact'
}

function callOf(
  name: string,
  actual: readonly Token[],
  expected: readonly (readonly Token[])[],
  line: number,
): AssertionFacts {
  const subject = textOf(actual)
  const wanted = expected.map(textOf).join(' , ')
  const isSame = subject === wanted && /Equal|Is$|assert_equal/u.test(name) && !name.includes('Not')
  return {
    line,
    subject,
    matcher: name,
    strength:
      isSame || (name.includes('Equal') && bothLiteral(subject, wanted)) ? 'trivial' : strengthOfCall(name),
    expected: expected.length === 0 ? null : wanted,
    isNegated: name.includes('Not'),
  }
}

function bothLiteral(left: string, right: string): boolean {
  const literal = /^(?:\d[\w.]*|"[^"]*"|True|False|None)$/u
  return literal.test(left) && literal.test(right)
}

/** `if got != want: pytest.fail(…)`, `raise AssertionError`. */
function guardedFailure(statement: Statement): readonly AssertionFacts[] {
  if (!/^(?:el)?if /u.test(statement.text)) return []
  if (!statement.children.some(({ text }) => failure.test(text))) return []
  const not = notAt(statement.line)
  return assertionsOf([not, ...statement.tokens.slice(1)], statement.line)
}

const failure = /^(?:pytest \. fail|self \. fail|raise AssertionError|raise )\b/u

/** A word that nobody wrote. */
function notAt(line: number): Token {
  return { kind: 'word', text: 'not', line, start: 0, end: 0 }
}
