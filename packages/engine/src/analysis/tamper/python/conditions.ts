/** Conditions of `assert`. */
import type { AssertionFacts, AssertionStrength } from '../facts.ts'
import { closingOf, codeOf, depthChange, splitAt, textOf, type Token } from '../../source/index.ts'

type Words = readonly Token[]

const comparisons = new Set(['==', '!=', '<', '>', '<=', '>=', 'in', 'is'])
const orders = new Set(['<', '>', '<=', '>=', 'in'])

/** What a condition asserts when it must hold. One entry for each side of `and`. */
export function assertionsOf(condition: Words, line: number): readonly AssertionFacts[] {
  const code = withoutBrackets(codeOf(condition))
  const parts = splitAt(code, (token) => token.text === 'and')
  if (parts.length > 1) return parts.flatMap((part) => assertionsOf(part, line))
  const choices = splitAt(code, (token) => token.text === 'or')
  return [choices.length > 1 ? choiceOf(choices, code, line) : singleOf(code, line)]
}

function choiceOf(choices: readonly Words[], code: Words, line: number): AssertionFacts {
  const sides = choices.flatMap((choice) => assertionsOf(choice, line))
  const isTrivial = sides.some((side) => side.strength === 'trivial') || contradictEachOther(sides)
  const strength = isTrivial ? 'trivial' : 'presence'
  return { line, subject: textOf(code), matcher: 'or', strength, expected: null, isNegated: false }
}

/** `x == 1 or x != 1`. */
function contradictEachOther(sides: readonly AssertionFacts[]): boolean {
  return sides.some((side) =>
    sides.some(
      (other) =>
        side.subject === other.subject &&
        side.expected === other.expected &&
        side.isNegated !== other.isNegated,
    ),
  )
}

function singleOf(code: Words, line: number): AssertionFacts {
  const first = code[0]
  if (first?.text === 'not') return negationOf(code.slice(1), line)
  const place = comparisonAt(code)
  if (place === -1) return truthOf(code, line)
  const next = code[place + 1]?.text
  const isNot = code[place]?.text === 'not' || next === 'not'
  const matcher = code[place]?.text === 'not' ? 'in' : (code[place]?.text ?? '==')
  const subject = textOf(code.slice(0, place))
  const expected = textOf(code.slice(place + (isNot ? 2 : 1)))
  const isNegated = isNot || matcher.startsWith('!')
  const strength = strengthOf({ subject, matcher, expected, isNegated })
  return { line, subject, matcher: matcher.replace(/^!/u, '='), strength, expected, isNegated }
}

function negationOf(code: Words, line: number): AssertionFacts {
  const inner = singleOf(withoutBrackets(code), line)
  if (inner.expected === null && isLiteral(code)) {
    return { ...inner, isNegated: true, strength: isFalse(textOf(code)) ? 'trivial' : 'presence' }
  }
  const isNegated = !inner.isNegated
  const strength =
    inner.expected === null ? 'presence' : strengthOf({ ...inner, expected: inner.expected, isNegated })
  return { ...inner, isNegated, strength: inner.strength === 'trivial' ? 'trivial' : strength }
}

function truthOf(code: Words, line: number): AssertionFacts {
  const subject = textOf(code)
  const isTrivial = (isLiteral(code) && !isFalse(subject)) || /^isinstance \( .* , object \)$/u.test(subject)
  return {
    line,
    subject,
    matcher: 'truthy',
    strength: isTrivial || isTuple(code) ? 'trivial' : 'presence',
    expected: null,
    isNegated: false,
  }
}

interface Comparison extends Pick<AssertionFacts, 'subject' | 'matcher' | 'isNegated'> {
  readonly expected: string
}

function strengthOf({ subject, matcher, expected, isNegated }: Comparison): AssertionStrength {
  if (subject === expected || /(?:^|\. )ANY$/u.test(expected)) return isNegated ? 'partial' : 'trivial'
  if (literal.test(subject) && literal.test(expected)) return 'trivial'
  if (/^len \(.*\)$/u.test(subject) && matcher === '>=' && expected === '0') return 'trivial'
  if (isNegated) return expected === 'None' ? 'presence' : 'partial'
  if (orders.has(matcher)) return 'partial'
  return /\bapprox \(/u.test(expected) ? 'partial' : 'exact'
}

const literal = /^-? ?(?:\d[\w.]*|"[^"]*"|'[^']*'|True|False|None)$/u

function isLiteral(code: Words): boolean {
  return literal.test(textOf(code))
}

function isFalse(text: string): boolean {
  return /^(?:False|None|0|0\.0|""|'')$/u.test(text)
}

/** `assert (a == b, "message")` asserts that a tuple is not empty. */
function isTuple(code: Words): boolean {
  if (code[0]?.text !== '(' || closingOf(code, 0) !== code.length - 1) return false
  return splitAt(code.slice(1, -1), (token) => token.text === ',').length > 1
}

function comparisonAt(code: Words): number {
  let depth = 0
  return code.findIndex((token, index) => {
    depth += depthChange(token)
    if (depth !== 0) return false
    return comparisons.has(token.text) || (token.text === 'not' && code[index + 1]?.text === 'in')
  })
}

/** Without brackets around all of it. */
function withoutBrackets(code: Words): Words {
  if (code[0]?.text !== '(' || closingOf(code, 0) !== code.length - 1 || isTuple(code)) return code
  return code.length > 2 ? withoutBrackets(code.slice(1, -1)) : code
}
