import type { JsonValue } from '../../events/index.ts'

/** Arguments that hold a command line or a program. */
export const commandKeys: readonly string[] = ['command', 'cmd', 'script', 'content', 'code']

/** What stands under one name among the arguments of a call. */
function valueAt(args: JsonValue, key: string): JsonValue | undefined {
  return isObject(args) && Object.hasOwn(args, key) ? args[key] : undefined
}

/** The text under one name among the arguments of a call. */
export function textAt(args: JsonValue, key: string): string | undefined {
  const value = valueAt(args, key)
  return typeof value === 'string' ? value : undefined
}

function isObject(value: JsonValue): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
