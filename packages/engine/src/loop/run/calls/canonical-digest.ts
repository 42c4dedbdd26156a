import type { JsonValue } from '@donecheck/core/events'
import { canonicalJson } from '@donecheck/core/base'
import { sha256 } from '../../../base/index.ts'

/** SHA-256, hex, over canonical JSON: equal for equal values, whatever the order of keys. */
export function digestOf(value: JsonValue): string {
  return sha256(canonicalJson(value))
}
