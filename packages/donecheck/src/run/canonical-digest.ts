import { createHash } from 'node:crypto'
import { canonicalJson, type JsonValue } from '../events/index.ts'

/** SHA-256, hex, over canonical JSON: equal for equal values, whatever the order of keys. */
export function digestOf(value: JsonValue): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}
