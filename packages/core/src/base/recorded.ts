import type { z } from 'zod'

/** What a schema lets in, as it is read: nothing of it changes. */
export type Recorded<Schema extends z.ZodType> = Unchanging<z.output<Schema>>

/** A place for any JSON is left as it is: a type that holds itself would never be read to its end. */
type Unchanging<Value> = [JsonValue] extends [Value]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
    : Value

export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }
