/** Facts of one assertion from its matcher and its operands. */
import type { AssertionFacts, AssertionStrength } from '../facts.ts'
import type { Known } from './constant.ts'
import { matcherStrength } from './matcher-strength.ts'
import { bare, type SyntaxNode } from './syntax.ts'
import { isTrivial, strengthOfExpected } from './triviality.ts'

export interface Operands {
  readonly line: number
  readonly matcher: string
  readonly subject: SyntaxNode
  readonly expected: readonly SyntaxNode[]
  readonly isNegated: boolean
  /** Where the matcher's name does not tell it. */
  readonly strength?: AssertionStrength
}

const order: readonly AssertionStrength[] = ['trivial', 'presence', 'partial', 'exact']

function weaker(one: AssertionStrength, other: AssertionStrength): AssertionStrength {
  return order.indexOf(one) <= order.indexOf(other) ? one : other
}

const data = /^(String|Numeric|Boolean|Null|BigInt|Template|RegExp)Literal$|^(Array|Object|Unary)Expression$/

/** A variable that holds data is given as that data: a changed expectation must not hide behind its name. */
function shown(node: SyntaxNode, known: Known): string {
  const value = bare(node)
  const bound = value.type === 'Identifier' ? known.bindings.values.get(value.name) : undefined
  return known.source.of(bound !== undefined && data.test(bound.type) ? bound : node)
}

export function factsOf(operands: Operands, known: Known): AssertionFacts {
  const { line, matcher, subject, expected, isNegated } = operands
  const named = operands.strength ?? matcherStrength(matcher, expected.length, isNegated)
  const strength = isTrivial(matcher, subject, expected, isNegated, known)
    ? 'trivial'
    : weaker(named, strengthOfExpected(matcher, expected, known))
  return {
    line,
    subject: known.source.of(subject),
    matcher,
    strength,
    expected: expected.length === 0 ? null : expected.map((node) => shown(node, known)).join(','),
    isNegated,
  }
}
