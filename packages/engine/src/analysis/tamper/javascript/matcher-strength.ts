/** How much a matcher says when it passes. */
import type { AssertionStrength } from '../facts.ts'

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** One value passes, and no other. */
const exact = wordSet(`
  toBe toEqual toStrictEqual toBeNull toBeUndefined toBeNaN toBeTrue toBeFalse toEqualTypeOf
  toHaveBeenCalledWith toHaveBeenLastCalledWith toHaveBeenNthCalledWith toHaveBeenCalledTimes toBeCalledWith
  lastCalledWith nthCalledWith toBeCalledTimes toHaveBeenCalledExactlyOnceWith toHaveReturnedWith
  toHaveLastReturnedWith toHaveNthReturnedWith toHaveResolvedWith toHaveReturnedTimes
  toMatchSnapshot toMatchFileSnapshot toThrowErrorMatchingSnapshot toHaveScreenshot
  toHaveText toHaveValue toHaveURL toHaveTitle toHaveCount
  equal equals eq eql eqls exactly deepEqual deepStrictEqual deepLooseEqual strictEqual strictEquals is same
  strictSame deepEquals looseEqual propEqual sameDeepMembers sameMembers sameOrderedMembers sameDeepOrderedMembers
  isTrue isFalse isNull isUndefined isNaN true false null undefined NaN snapshot matchSnapshot
  calledWithExactly calledOnceWithExactly calledWith callCount
`)

/** Passes for very many values, whatever stands in its brackets. */
const presence = wordSet(`
  toBeDefined toBeTruthy toBeFalsy toHaveBeenCalled toBeCalled toHaveReturned toBeVisible toBeAttached
  toBeInTheDocument toBeAny toBeUnknown toBeNever ok notOk isOk exist exists truthy falsy doesNotThrow notThrows
  notThrowsAsync doesNotReject doesNotThrowAsync assertions hasAssertions plan resolves called isDefined
`)

/** Their last argument is what is thrown; without it anything may be. */
const throwing = wordSet(`
  toThrow toThrowError throw throws Throw throwsAsync throwsExactly rejects rejected rejectedWith error
`)

/** Exactly two values pass, or none but a missing one. */
const singleValue = wordSet('toBeNull toBeUndefined toBeNaN isNull isUndefined isNaN null undefined NaN')
const inlineSnapshots = wordSet('toMatchInlineSnapshot toThrowErrorMatchingInlineSnapshot')
const absence = wordSet('toBeDefined exist exists isDefined')

function plainStrength(matcher: string, expectedCount: number): AssertionStrength {
  if (exact.has(matcher)) return 'exact'
  if (presence.has(matcher)) return 'presence'
  if (throwing.has(matcher)) return expectedCount === 0 ? 'presence' : 'partial'
  // Without a text it writes what it sees.
  if (inlineSnapshots.has(matcher)) return expectedCount === 0 ? 'presence' : 'exact'
  if (matcher === 'toHaveProperty' || matcher === 'property' || matcher === 'propertyVal')
    return expectedCount > 1 ? 'exact' : 'presence'
  return expectedCount === 0 ? 'presence' : 'partial'
}

/** Of a matcher by its name, before its operands are looked at. Names that it does not know are judged by their operands. */
export function matcherStrength(
  matcher: string,
  expectedCount: number,
  isNegated: boolean,
): AssertionStrength {
  const plain = plainStrength(matcher, expectedCount)
  if (!isNegated) return plain
  if (absence.has(matcher)) return 'exact'
  if (singleValue.has(matcher) || throwing.has(matcher)) return 'presence'
  return plain === 'exact' ? 'partial' : plain
}
