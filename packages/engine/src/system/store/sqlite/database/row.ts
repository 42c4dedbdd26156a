/** Rows of the database, looked at by hand: a hook opens the store at every tool call, and schemas take longer to be made than to be used. */

import { jsonOf } from '../../../../base/index.ts'

interface Columns {
  readonly text: string
  readonly number: number
  readonly 'text or null': string | null
}

type Shape = Readonly<Record<string, keyof Columns>>

export type Row<Of extends Shape> = { readonly [Name in keyof Of]: Columns[Of[Name]] }

/** Undefined: the row is another one than it should be. */
export function readRow<const Of extends Shape>(shape: Of, row: unknown): Row<Of> | undefined {
  if (typeof row !== 'object' || row === null) return undefined
  const given: Readonly<Record<string, unknown>> = { ...row }
  const isRight = Object.entries(shape).every(([name, kind]) => isOf(kind, given[name]))
  return isRight ? (given as Row<Of>) : undefined
}

/** @throws {TypeError} where the row is another one than it should be */
export function rowOf<const Of extends Shape>(shape: Of, row: unknown): Row<Of> {
  const read = readRow(shape, row)
  if (read === undefined)
    throw new TypeError(`a row of the store has not the columns ${Object.keys(shape).join(', ')}`)
  return read
}

function isOf(kind: keyof Columns, value: unknown): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'text or null':
      return typeof value === 'string' || value === null
  }
}

/** Keys and names lie as JSON texts, so that each is kept as it was, and no two become one. Undefined: it is none. */
export function nameOfText(text: unknown): string | undefined {
  const name = typeof text === 'string' ? jsonOf(text) : undefined
  return typeof name === 'string' ? name : undefined
}
