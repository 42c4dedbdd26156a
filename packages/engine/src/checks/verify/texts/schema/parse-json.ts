import { problemIndex } from './problem-index.ts'

export type ParsedJson =
  | { readonly kind: 'json'; readonly value: unknown }
  /** Why it is none, with its place where that is known. */
  | { readonly kind: 'no-json'; readonly problem: string }

/** The whole text as JSON. Never throws. */
export function parseJson(text: string): ParsedJson {
  if (text.trim() === '') return { kind: 'no-json', problem: 'there is no JSON: the text is empty' }
  try {
    const value: unknown = JSON.parse(text)
    return { kind: 'json', value }
  } catch {
    return { kind: 'no-json', problem: problemOf(text) }
  }
}

function problemOf(text: string): string {
  const index = problemIndex(text)
  if (index === undefined) return 'it is not JSON'
  const before = text.slice(0, index).split('\n')
  const column = (before.at(-1)?.length ?? 0) + 1
  const found =
    index >= text.length ? 'the end' : JSON.stringify(text.slice(index, index + 20).toWellFormed())
  return `it is not JSON: unexpected at line ${before.length}, column ${column}: ${found}`
}
