/** What a judge has written, as a verdict: one parser for structured answers and for text, and it always has an answer. */
import { malformedVerdict, type JudgeVerdict } from './judge-verdict.ts'
import { parseStructured } from './structured.ts'
import { parseText } from './text-grammar.ts'

/** @param categories those that a failure may name */
export function parseVerdict(text: string, categories: readonly string[]): JudgeVerdict {
  const trimmed = text.trim()
  if (trimmed === '') return malformedVerdict('it is empty')
  return trimmed.startsWith('{') ? parseStructured(trimmed, categories) : parseText(trimmed, categories)
}
