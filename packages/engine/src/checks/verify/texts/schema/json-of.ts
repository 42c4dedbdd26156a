import type { TextSource } from '../text/source.ts'
import { jsonIn } from './json-in-text.ts'
import { parseJson, type ParsedJson } from './parse-json.ts'

/** The JSON of what was read: a file is JSON as a whole, an answer may hold it in a fence, a value is what it is. */
export function jsonOf(value: unknown, source: TextSource): ParsedJson {
  if ('value' in source || typeof value !== 'string') return { kind: 'json', value }
  return 'file' in source ? parseJson(value) : jsonIn(value)
}
