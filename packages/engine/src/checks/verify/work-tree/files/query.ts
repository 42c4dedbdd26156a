import { JSONPathEnvironment, type JSONValue } from 'json-p3'
import { UsageError } from '../../../../base/index.ts'
import { showThrown, showValue } from '../../reports/reports.ts'

export interface QueriedPlace {
  /** Normalised path, such as `$['a'][0]`. */
  readonly path: string
  readonly value: unknown
}

/** @throws whatever the query cannot do with the value, such as going too deep */
export type Query = (value: unknown) => readonly QueriedPlace[]

const environment = new JSONPathEnvironment()

/** A JSONPath query of RFC 9535. @throws {UsageError} for a query that is none */
export function compileQuery(query: string): Query {
  try {
    const compiled = environment.compile(query)
    return (value) =>
      compiled
        .query(asJson(value))
        .nodes.map((node) => ({ path: node.getPath({ form: 'canonical' }), value: node.value }))
  } catch (error) {
    throw new UsageError(
      `${showValue(query)} is no JSONPath (RFC 9535): ${showThrown(error)}; give a query such as $.version`,
      { cause: error },
    )
  }
}

/** @throws {TypeError} for what is no JSON, such as a function or a date */
function asJson(value: unknown): JSONValue {
  if (isJson(value)) return value
  throw new TypeError(`${showValue(value)} holds what is no JSON`)
}

function isJson(value: unknown): value is JSONValue {
  if (typeof value !== 'object') return ['string', 'number', 'boolean'].includes(typeof value)
  if (value === null) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false
  return Object.values(value).every(isJson)
}
