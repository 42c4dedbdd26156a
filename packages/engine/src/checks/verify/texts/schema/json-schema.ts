import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { UsageError } from '../../../../base/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import { showThrown, showValue } from '../../reports/show-value.ts'
import type { CompiledSchema, Violation } from './violations.ts'

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** They describe a schema and demand nothing. */
const annotations = ['$schema', '$id', '$comment', '$defs', 'title', 'description', 'examples', 'default']

/**
 * Own properties alone count, so that `toString` is not there already. Unknown keywords and formats are mistakes of the
 * schema; the stricter lints of style are off, for they refuse schemas that the standard allows.
 */
const strictness = {
  allErrors: true,
  ownProperties: true,
  strictSchema: true,
  strictNumbers: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  logger: false,
} as const

/**
 * @throws {UsageError} for a schema that is not of draft 2020-12, has an unknown keyword, uses `format` (no format is known
 * here), refers to another document, or demands nothing
 */
export function compileJsonSchema(given: unknown): CompiledSchema & { readonly schema: JsonValue } {
  const schema = copyOf(given)
  if (Object.keys(schema).every((keyword) => annotations.includes(keyword)))
    throw new UsageError(
      `the JSON Schema ${showValue(given)} demands nothing; give it a keyword such as "type"`,
    )
  if ('$async' in schema)
    throw new UsageError('the JSON Schema has $async; give a schema that answers at once')
  const check = compileSchema(schema)
  return {
    shown: 'JSON Schema',
    schema,
    validate(value) {
      if (check(value)) return { kind: 'valid' }
      return { kind: 'invalid', violations: (check.errors ?? []).map(violationOf) }
    },
  }
}

function compileSchema(schema: Readonly<Record<string, JsonValue>>) {
  try {
    return new Ajv2020(strictness).compile(schema)
  } catch (error) {
    const problem = showThrown(error)
    const wayOut = problem.includes('unknown format')
      ? 'formats are not supported: say it by "pattern"'
      : 'mend the schema; it must be of draft 2020-12'
    throw new UsageError(`the JSON Schema cannot be used: ${problem}; ${wayOut}`, { cause: error })
  }
}

/** Later changes of the given object do not count. */
function copyOf(given: unknown): Readonly<Record<string, JsonValue>> {
  const parsed = z.record(z.string(), z.json()).safeParse(given)
  if (parsed.success) return structuredClone(parsed.data)
  throw new UsageError(
    `the schema is ${showValue(given)}; give a Standard Schema (zod, valibot, arktype) or a JSON Schema object`,
  )
}

function violationOf({ instancePath, message = 'is not allowed', params }: ErrorObject): Violation {
  const details = showValue(params)
  return { path: instancePath, message: details === '{}' ? message : `${message} ${details}` }
}
