/** What a schema says of a value. */
export type SchemaAnswer =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly violations: readonly Violation[] }
  /** The schema itself answered what is no answer. */
  | { readonly kind: 'nonsense'; readonly problem: string }

export interface Violation {
  /** JSON Pointer (RFC 6901) to the place; empty for the whole value. */
  readonly path: string
  readonly message: string
}

export interface CompiledSchema {
  /** For names, such as `JSON Schema` or `zod`. */
  readonly shown: string
  /** A promise where the schema itself answers later. Takes as long as the schema makes it. */
  readonly validate: (value: unknown) => SchemaAnswer | Promise<SchemaAnswer>
}

/** @param keys from the outside in */
export function pointerOf(keys: readonly PropertyKey[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
