/** Comparisons of JavaScript and TypeScript tests that are false. Pure. */
import { callIn, callOf, otherOfTwo, otherValue, type Call, type FalseLine, type Values } from './words.ts'

/** `expect(…).toBe(` and its like: what is expected stands alone in the last brackets. */
const expecting =
  /^(?:(?:await|return)\s+)*expect\s*\(.*\)\s*\.(?:to\.|resolves\.|be\.|deep\.|have\.)*(?:toBe|toEqual|toStrictEqual|toHaveLength|equal|equals|eq|eql|lengthOf)\s*\($/u
/** `assert.equal(` and its like: what is expected is the second of two, before a message. */
const asserting =
  /^(?:await\s+)?(?:[\w$]+\.){0,2}(?:equal|equals|strictEqual|deepEqual|deepStrictEqual|isEqual|same|is|eq|assertEquals)\s*\($/u
/** What is given must hold. */
const holding =
  /^(?:assert(?:\.(?:ok|strict\.ok))?|(?:chai\.assert|assert|strict|t)\.(?:ok|true|isTrue|truthy))\s*\($/u
/** Assertions whose meaning is known; others may be functions of the project that only sound like them. */
const known =
  /^(?:(?:await|return)\s+)*(?:expect\s*\(|assert\s*\(|(?:assert|strict|t|chai\.assert|should|test)\.)/u

/** @returns undefined if the line is no comparison that stands on it as a whole */
export function falsifyJavascript(line: string, values: Values): FalseLine | undefined {
  const call = line.includes('.not.') ? undefined : callIn(line)
  const given = call === undefined ? undefined : falseArguments(call, values)
  if (call === undefined || given === undefined) return undefined
  const isAwaited = !/\.(?:resolves|rejects)\b/u.test(call.start) || /^(?:await|return)\b/u.test(line)
  return { text: callOf(call, given), isCertain: isAwaited && known.test(line) }
}

function falseArguments({ start, given }: Call, values: Values): readonly string[] | undefined {
  const [first = '', second] = given
  if (given.some((one) => one.trim().startsWith('...'))) return undefined
  if (expecting.test(start)) {
    const other = given.length === 1 ? otherValue(first, values) : undefined
    return other === undefined ? undefined : [other]
  }
  if (asserting.test(start)) {
    if (second === undefined || (given.length === 3 && !isText(given[2])) || given.length > 3)
      return undefined
    return otherOfTwo(given, 1, values)
  }
  const isHolding = holding.test(start) && first.trim() !== '' && given.length <= 2
  return isHolding && values.wrap !== undefined ? given.with(0, `!(${first})`) : undefined
}

function isText(word: string | undefined): boolean {
  return word !== undefined && /^\s*["'`]/u.test(word)
}

/** @param isTyped of a file of TypeScript, which may know what type must stand there */
export function wrapJavascript(isTyped: boolean): (expression: string) => string {
  const name = isTyped ? 'w: any' : 'w'
  return (expression) => {
    if (expression === 'true' || expression === 'false') return expression === 'true' ? 'false' : 'true'
    const other = `typeof w === 'number' && Math.abs(w) < 1e9 ? w + 7 : typeof w === 'string' ? w + '7' : typeof w === 'boolean' ? !w : [w, 7]`
    return `((${name}) => ${other})(${expression})`
  }
}
