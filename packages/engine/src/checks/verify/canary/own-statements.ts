/** Comparisons that a test file makes itself, on one line, with a written-out value: what must be false when another value stands there. */

interface Comparison {
  /** The line as it stands in the file, without indentation. */
  readonly stated: string
  /** The same with another value, at the same place. */
  readonly falsified: string
}

/** From 1 to 9: what a number is changed by, and what a text gets more. Not the same each time. */
export type Shift = () => number

/** So many are enough to see whether comparisons compare. */
const maxComparisons = 4

/** Comparisons of a JavaScript or TypeScript test, the last ones first. */
export function javascriptComparisons(text: string, shift: Shift): readonly Comparison[] {
  return comparisonsIn(text, (line) => falsifyJavascript(line, shift))
}

/** Comparisons of a Python test, the last ones first. */
export function pythonComparisons(text: string, shift: Shift): readonly Comparison[] {
  return comparisonsIn(text, (line) => falsifyPython(line, shift))
}

function comparisonsIn(text: string, falsify: (line: string) => string | undefined): readonly Comparison[] {
  const found = new Map<string, Comparison>()
  for (const line of text.split('\n').reverse()) {
    const stated = line.trim()
    const falsified = falsify(stated)
    if (falsified !== undefined) found.set(stated, { stated, falsified })
    if (found.size >= maxComparisons) break
  }
  return [...found.values()]
}

/**
 * The text with another value in every comparison of which one can be found.
 * @returns undefined if there is none
 */
export function falsifyAll(path: string, text: string, shift: Shift): string | undefined {
  const falsify = path.endsWith('.py') ? falsifyPython : falsifyJavascript
  const lines = text.split('\n').map((line) => {
    const falsified = falsify(line.trim(), shift)
    return falsified === undefined ? line : line.replace(line.trim(), () => falsified)
  })
  const changed = lines.join('\n')
  return changed === text ? undefined : changed
}

/** `expect(…).toBe(` and its like: what is expected stands alone in the last brackets. */
const expecting =
  /^(?:await\s+)?expect\s*\(.*\)\s*\.(?:to\.|resolves\.|be\.|deep\.)*(?:toBe|toEqual|toStrictEqual|equal|equals|eq|eql)\s*\(/u
/** `assert.equal(` and its like: what is expected is the second of two. */
const asserting =
  /^(?:await\s+)?(?:[\w$]+\.){0,2}(?:equal|equals|strictEqual|deepEqual|deepStrictEqual|isEqual|same|is|eq|assertEquals)\s*\(/u

function falsifyJavascript(line: string, shift: Shift): string | undefined {
  const statement = line.replace(/\s*;$/u, '')
  if (!statement.endsWith(')') || statement.includes('.not.') || statement.includes('`')) return undefined
  const open = openingOf(statement)
  if (open === undefined) return undefined
  const start = statement.slice(0, open + 1)
  const given = argumentsIn(statement.slice(open + 1, -1))
  const wanted = expecting.exec(start)?.[0].length === start.length ? 1 : asserting.test(start) ? 2 : 0
  if (given.length !== wanted) return undefined
  const last = given.at(-1)
  const other = last === undefined ? undefined : otherValue(last.trim(), shift)
  if (last === undefined || other === undefined) return undefined
  return `${start}${[...given.slice(0, -1), last.replace(last.trim(), () => other)].join(',')})`
}

function falsifyPython(line: string, shift: Shift): string | undefined {
  const plain = /^(assert\s+[^#]*[^=!<>#]==\s*)(\S+)$/u.exec(line)
  if (plain !== null && !/\b(?:not|or|and|in|if|is|lambda)\b/u.test(plain[1] ?? '')) {
    const other = otherValue(plain[2] ?? '', shift)
    return other === undefined ? undefined : `${plain[1] ?? ''}${other}`
  }
  if (!/^self\.assert(?:Equals?|ListEqual|DictEqual)\s*\(.*\)$/u.test(line)) return undefined
  const open = openingOf(line)
  if (open === undefined) return undefined
  const given = argumentsIn(line.slice(open + 1, -1))
  const last = given.at(-1)
  const other = last === undefined || given.length !== 2 ? undefined : otherValue(last.trim(), shift)
  if (last === undefined || other === undefined) return undefined
  return `${line.slice(0, open + 1)}${given[0] ?? ''},${last.replace(last.trim(), () => other)})`
}

function otherValue(literal: string, shift: Shift): string | undefined {
  if (/^-?(?:0|[1-9]\d{0,12})(?:\.\d{1,6})?$/u.test(literal)) {
    const [whole = '', part] = literal.split('.')
    return `${String(Number(whole) + shift())}${part === undefined ? '' : `.${part}`}`
  }
  const quoted = /^(["'])([^"'\\\n]*)\1$/u.exec(literal)
  return quoted === null ? undefined : `${quoted[1] ?? ''}${quoted[2] ?? ''}${shift()}${quoted[1] ?? ''}`
}

const quotes = new Set(['"', "'"])

/** Where the bracket opens that the last character closes. Undefined: the brackets do not fit. */
function openingOf(text: string): number | undefined {
  const open: number[] = []
  const closed: (number | undefined)[] = []
  eachOutsideOfTexts(text, (character, index) => {
    if ('([{'.includes(character)) open.push(index)
    if (')]}'.includes(character)) closed.push(open.pop())
  })
  return open.length > 0 || closed.includes(undefined) ? undefined : closed.at(-1)
}

function argumentsIn(text: string): readonly string[] {
  const ends: number[] = []
  let depth = 0
  eachOutsideOfTexts(text, (character, index) => {
    if ('([{'.includes(character)) depth += 1
    if (')]}'.includes(character)) depth -= 1
    if (character === ',' && depth === 0) ends.push(index)
  })
  const starts = [0, ...ends.map((end) => end + 1)]
  return starts.map((start, index) => text.slice(start, ends[index] ?? text.length))
}

function eachOutsideOfTexts(text: string, visit: (character: string, index: number) => void): void {
  let quote: string | undefined
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (quote !== undefined) {
      if (character === '\\') index++
      else if (character === quote) quote = undefined
    } else if (quotes.has(character)) quote = character
    else visit(character, index)
  }
}
