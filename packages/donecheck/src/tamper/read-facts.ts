import type { ReadFacts } from './facts.ts'
import { readGoFacts } from './go/read-facts.ts'
import { readJavaScriptFacts } from './javascript/read-facts.ts'
import { readBraceFacts } from './lines/read-brace-facts.ts'
import { braceLanguageOf } from './lines/languages.ts'
import { readRubyFacts } from './lines/read-ruby-facts.ts'
import { readPythonFacts } from './python/read-facts.ts'

/** Deeper brackets are no source that anybody wrote. */
const maxDepth = 400

/** Undefined: no reader knows this language. Never throws. */
export function readFacts(path: string, text: string): ReadFacts | undefined {
  const read = readerOf(path)
  if (read === undefined) return undefined
  if (depthOf(text) > maxDepth) return { kind: 'unreadable', problem: 'it is nested too deeply' }
  try {
    return read(text.replace(/^\u{feff}/u, ''))
  } catch (error) {
    return { kind: 'unreadable', problem: error instanceof Error ? error.message : 'it cannot be read' }
  }
}

function readerOf(path: string): ((text: string) => ReadFacts) | undefined {
  if (/\.[cm]?[jt]sx?$/u.test(path)) return (text) => readJavaScriptFacts(path, text)
  if (/\.pyi?$/u.test(path)) return readPythonFacts
  if (path.endsWith('.go')) return (text) => readGoFacts(path, text)
  if (path.endsWith('.rb')) return readRubyFacts
  const language = braceLanguageOf(path)
  return language === undefined ? undefined : (text) => readBraceFacts(text, language)
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
