/** Comparisons that a test file makes itself, on one line, with a written-out value: what must be false when another value stands there. */
import { falsifyJavascript } from './falsify/javascript.ts'
import { falsifyPython } from './falsify/python.ts'
import type { FalseLine, Shift, Values } from './falsify/words.ts'

interface Comparison {
  /** The line as it stands in the file, without indentation. */
  readonly stated: string
  /** The same with another value, at the same place. */
  readonly falsified: string
}

/** So many are enough to see whether comparisons compare. */
const maxComparisons = 4

/** Comparisons of a JavaScript or TypeScript test, the last ones first. */
export function javascriptComparisons(text: string, shift: Shift): readonly Comparison[] {
  return comparisonsIn(text, falsifyJavascript, { shift, wrap: undefined })
}

/** Comparisons of a Python test, the last ones first. */
export function pythonComparisons(text: string, shift: Shift): readonly Comparison[] {
  return comparisonsIn(text, falsifyPython, { shift, wrap: undefined })
}

function comparisonsIn(
  text: string,
  falsify: (line: string, values: Values) => FalseLine | undefined,
  values: Values,
): readonly Comparison[] {
  const found = new Map<string, Comparison>()
  for (const line of text.split('\n').reverse()) {
    const stated = line.trim()
    const falsified = /^return\b/u.test(stated) ? undefined : falsify(stated, values)?.text
    if (falsified !== undefined) found.set(stated, { stated, falsified })
    if (found.size >= maxComparisons) break
  }
  return [...found.values()]
}
