import type { Scope } from './scope.ts'
import type { TokenReader } from './tokens/token-reader.ts'
import type { Value } from './value.ts'

export type Expression = (scope: Scope) => Value

/** Reads expressions; what it needs for calls, functions and f-strings is read by others with it. */
export interface ExpressionReader {
  readonly reader: TokenReader
  /** For each function or comprehension around this place, innermost last: the names that it binds. */
  readonly bound: Set<string>[]
  read(): Expression
  /** Several with commas are a tuple. */
  readList(endings?: readonly string[]): Expression
  /** @throws SourceFault where too much is nested */
  nested<Read>(read: () => Read): Read
  /** The same for a text within this one. */
  inside(reader: TokenReader): ExpressionReader
}
