/** Assertions that pass whatever the work does, and expectations that let almost anything through. */
import type { AssertionStrength } from '../facts.ts'
import { chainOf } from './chain.ts'
import { constantOf, truthOf, type Known } from './constant.ts'
import { bare, childrenOf, isFunction, type SyntaxNode } from './syntax.ts'

/** Texts so unlike that a pattern that matches them all says nothing. */
const unlikeTexts = ['', 'a', 'Z z', '0', '\n', '#?~']

/** Only short patterns are tried, so that none can take long. */
const maxPatternLength = 40

function matchesEverything(pattern: string, flags: string): boolean {
  if (pattern.length > maxPatternLength || /\d{3}/.test(pattern)) return false
  try {
    const tried = new RegExp(pattern, flags.replace(/[gy]/g, ''))
    return unlikeTexts.every((text) => tried.test(text))
  } catch {
    return false
  }
}

const asymmetric = new Set([
  'anything',
  'any',
  'objectContaining',
  'arrayContaining',
  'arrayOf',
  'stringContaining',
  'stringMatching',
  'closeTo',
  'schemaMatching',
  'toBeOneOf',
])

interface Asymmetric {
  readonly name: string
  readonly argument: SyntaxNode | undefined
}

function asymmetricOf(node: SyntaxNode, known: Known): Asymmetric | undefined {
  const { root, links } = chainOf(node, known)
  const last = links.at(-1)
  const isKnownRoot = root.type === 'Identifier' && /^(expect|jasmine|sinon|match|Match)$/.test(root.name)
  if (!isKnownRoot || last?.name === undefined || last.args === undefined || !asymmetric.has(last.name))
    return undefined
  return { name: last.name, argument: last.args[0] }
}

function isEmpty(node: SyntaxNode | undefined, known: Known): boolean {
  if (node === undefined) return false
  const value = bare(node)
  if (value.type === 'ObjectExpression') return value.properties.length === 0
  if (value.type === 'ArrayExpression') return value.elements.length === 0
  if (value.type === 'RegExpLiteral') return matchesEverything(value.pattern, value.flags)
  return constantOf(value, known)?.value === ''
}

function asymmetricStrength({ name, argument }: Asymmetric, known: Known): AssertionStrength {
  if (name === 'anything') return 'trivial'
  if (name === 'any')
    return argument?.type === 'Identifier' && argument.name === 'Object' ? 'trivial' : 'presence'
  return isEmpty(argument, known) ? 'trivial' : 'partial'
}

function holdsAsymmetric(node: SyntaxNode, known: Known): boolean {
  return (
    asymmetricOf(node, known) !== undefined || childrenOf(node).some((child) => holdsAsymmetric(child, known))
  )
}

const containing =
  /^(toContain|toMatch|toMatchObject|include|includes|contain|contains|match|like|toInclude|regex)$/

/** The most that an assertion can say that expects this. */
export function strengthOfExpected(
  matcher: string,
  expected: readonly SyntaxNode[],
  known: Known,
): AssertionStrength {
  const [first] = expected
  if (first === undefined) return 'exact'
  const alone = asymmetricOf(first, known)
  if (alone !== undefined) return asymmetricStrength(alone, known)
  if (containing.test(matcher) && isEmpty(first, known)) return 'trivial'
  return expected.some((node) => holdsAsymmetric(node, known)) ? 'partial' : 'exact'
}

const equality =
  /^(toBe|toEqual|toStrictEqual|equals?|eql?s?|is|same|strictSame|exactly|(deep|strict|deepStrict|loose|deepLoose)(Equals?))$/
const wantsTruth = /^(toBeTruthy|toBeTrue|toBeDefined|truthy|ok|isOk|isTrue|true|exists?|isDefined)$/
const wantsFalsehood = /^(toBeFalsy|toBeFalse|falsy|notOk|isFalse|false)$/

function isThrowOnly(node: SyntaxNode): boolean {
  const value = bare(node)
  if (!isFunction(value) || value.body.type !== 'BlockStatement') return false
  return value.body.body[0]?.type === 'ThrowStatement'
}

function agrees(
  matcher: string,
  subject: SyntaxNode,
  expected: SyntaxNode,
  known: Known,
): boolean | undefined {
  if (!equality.test(matcher)) return undefined
  if (known.source.of(subject) === known.source.of(expected)) return true
  const left = constantOf(subject, known)
  const right = constantOf(expected, known)
  if (left !== undefined && right !== undefined) return left.value === right.value
  return typeof right?.value === 'boolean' && truthOf(subject, known) === right.value ? true : undefined
}

/** `x.length >= 0`, `x > -Infinity` */
function isNoBound(matcher: string, subject: SyntaxNode, expected: SyntaxNode, known: Known): boolean {
  const bound = constantOf(expected, known)?.value
  if (typeof bound !== 'number') return false
  const isCount = /\.(length|size)$/.test(known.source.of(subject))
  if (/^(toBeGreaterThan|above|gt|greaterThan|isAbove|>)$/.test(matcher))
    return bound === -Infinity || (isCount && bound < 0)
  if (/^(toBeGreaterThanOrEqual|least|gte|isAtLeast|>=)$/.test(matcher))
    return bound === -Infinity || (isCount && bound <= 0)
  return /^(toBeLessThan(OrEqual)?|below|lte?|most|isBelow|isAtMost|<=?)$/.test(matcher) && bound === Infinity
}

/** Whether it passes whatever the work does. */
export function isTrivial(
  matcher: string,
  subject: SyntaxNode,
  expected: readonly SyntaxNode[],
  isNegated: boolean,
  known: Known,
): boolean {
  const [first] = expected
  if (first !== undefined) {
    const answer = agrees(matcher, subject, first, known)
    if (answer !== undefined) return answer === !isNegated
    return (
      !isNegated &&
      (isNoBound(matcher, subject, first, known) || (/throw/i.test(matcher) && isThrowOnly(subject)))
    )
  }
  const truth = truthOf(subject, known)
  if (constantOf(subject, known) !== undefined && matcher !== 'toMatchInlineSnapshot') return true
  if (wantsTruth.test(matcher)) return truth === !isNegated
  if (wantsFalsehood.test(matcher)) return truth === isNegated
  return !isNegated && /throw/i.test(matcher) && isThrowOnly(subject)
}
