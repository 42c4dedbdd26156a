/** Conditions as assertions: `assert(a === b)`, `if (a !== b) throw …`. */
import type { AssertionFacts } from '../facts.ts'
import { memberName } from './declarator.ts'
import { truthOf, type Known } from './constant.ts'
import { factsOf } from './operands.ts'
import { asCall, asMember, bare, lineOf, type SyntaxNode } from './syntax.ts'

const opposites: ReadonlyMap<string, string> = new Map([
  ['<', '>='],
  ['<=', '>'],
  ['>', '<='],
  ['>=', '<'],
])

function ofComparison(
  operator: string,
  left: SyntaxNode,
  right: SyntaxNode,
  holds: boolean,
  line: number,
  known: Known,
): AssertionFacts {
  const opposite = opposites.get(operator)
  if (opposite !== undefined)
    return factsOf(
      {
        line,
        matcher: holds ? operator : opposite,
        subject: left,
        expected: [right],
        isNegated: false,
        strength: 'partial',
      },
      known,
    )
  const isUnequal = operator.startsWith('!')
  const isNegated = isUnequal === holds
  const isEquality = isUnequal || operator.startsWith('=')
  return factsOf(
    {
      line,
      matcher: isEquality ? (operator.length === 3 ? 'strictEqual' : 'equal') : operator,
      subject: left,
      expected: [right],
      isNegated,
      ...(isEquality ? {} : { strength: 'partial' as const }),
    },
    known,
  )
}

const tellingMethods =
  /^(includes|startsWith|endsWith|test|has|every|some|match|equals|is|deepEqual|isDeepStrictEqual)$/

/** `text.includes('x')` looks at `text` and expects `'x'`. */
function ofMethod(condition: SyntaxNode, holds: boolean, known: Known): AssertionFacts | undefined {
  const call = asCall(condition)
  const member = call && asMember(bare(call.callee))
  const name = member && memberName(member, known)
  if (call === undefined || member === undefined || name === undefined || !tellingMethods.test(name))
    return undefined
  return factsOf(
    {
      line: lineOf(condition),
      matcher: name,
      subject: member.object,
      expected: call.arguments,
      isNegated: !holds,
      strength: 'partial',
    },
    known,
  )
}

/** Without what says nothing beside what does. */
function bothOf(
  left: readonly AssertionFacts[],
  right: readonly AssertionFacts[],
): readonly AssertionFacts[] {
  const telling = [...left, ...right].filter(({ strength }) => strength !== 'trivial')
  return telling.length > 0 ? telling : left
}

/** What is demanded where `condition` must be truthy (`holds`) or must not. */
export function demandsOf(wrapped: SyntaxNode, holds: boolean, known: Known): readonly AssertionFacts[] {
  const condition = bare(wrapped)
  const line = lineOf(condition)
  if (truthOf(condition, known) === holds)
    return [
      {
        ...factsOf({ line, matcher: 'ok', subject: condition, expected: [], isNegated: !holds }, known),
        strength: 'trivial',
      },
    ]
  if (condition.type === 'UnaryExpression' && condition.operator === '!')
    return demandsOf(condition.argument, !holds, known)
  if (condition.type === 'LogicalExpression' && condition.operator === (holds ? '&&' : '||'))
    return bothOf(demandsOf(condition.left, holds, known), demandsOf(condition.right, holds, known))
  if (condition.type === 'BinaryExpression' && /^([!=]==?|[<>]=?|in|instanceof)$/.test(condition.operator))
    return [ofComparison(condition.operator, condition.left, condition.right, holds, line, known)]
  const method = ofMethod(condition, holds, known)
  return [
    method ?? factsOf({ line, matcher: 'ok', subject: condition, expected: [], isNegated: !holds }, known),
  ]
}
