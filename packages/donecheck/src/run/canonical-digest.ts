import { canonicalJson, type JsonValue } from '../events/index.ts'
import { sha256 } from '../sha256.ts'

/** SHA-256, hex, over canonical JSON: equal for equal values, whatever the order of keys. */
export function digestOf(value: JsonValue): string {
  return sha256(canonicalJson(value))
}
