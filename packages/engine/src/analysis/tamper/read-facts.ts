import type { FileFacts } from './facts.ts'
import { readJavaScriptFacts } from './javascript/read-facts.ts'
import { readPythonFacts } from './python/read-facts.ts'

/** Deeper brackets and longer texts are no tests that anybody wrote. */
const maxDepth = 400
const maxLength = 2 ** 18

/** Null: it cannot be read. Undefined: no reader knows this language. Never throws. */
export function readFacts(path: string, text: string): FileFacts | null | undefined {
  const read = readerOf(path)
  if (read === undefined) return undefined
  if (text.length > maxLength || depthOf(text) > maxDepth) return null
  try {
    return read(text.replace(/^\u{feff}/u, '')) ?? null
  } catch {
    return null
  }
}

function readerOf(path: string): ((text: string) => FileFacts | undefined) | undefined {
  if (/\.[cm]?[jt]sx?$/u.test(path)) return (text) => readJavaScriptFacts(path, text)
  return /\.pyi?$/u.test(path) ? readPythonFacts : undefined
}

function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if ('([{'.includes(character)) deepest = Math.max(deepest, (depth += 1))
    else if (')]}'.includes(character)) depth = Math.max(0, depth - 1)
  }
  return deepest
}
