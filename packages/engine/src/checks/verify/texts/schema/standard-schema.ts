import type { StandardSchemaV1 } from '@standard-schema/spec'
import { z } from 'zod'
import { UsageError } from '../../../../base/index.ts'
import { showValue } from '../../reports/show-value.ts'
import { pointerOf, type CompiledSchema, type SchemaAnswer } from './violations.ts'

const key = z.union([z.string(), z.number(), z.symbol()])

const issueList = z
  .array(
    z.object({
      message: z.string(),
      path: z.array(z.union([key, z.object({ key }).transform((segment) => segment.key)])).optional(),
    }),
  )
  .min(1)

const properties = z.object({ version: z.literal(1), vendor: z.string() })

export function isStandardSchema(schema: unknown): schema is StandardSchemaV1 {
  return (
    ((typeof schema === 'object' && schema !== null) || typeof schema === 'function') && '~standard' in schema
  )
}

/** Standard Schema, version 1. @throws {UsageError} for another version */
export function compileStandardSchema(schema: StandardSchemaV1): CompiledSchema {
  const standard = schema['~standard']
  const parsed = properties.safeParse(standard)
  if (!parsed.success || typeof standard.validate !== 'function')
    throw new UsageError(
      `the schema's "~standard" is ${showValue(standard)}; give a schema that keeps to Standard Schema version 1`,
    )
  return {
    shown: parsed.data.vendor,
    validate(value) {
      const answered: unknown = standard.validate(value)
      return answered instanceof Promise ? answered.then(answerOf) : answerOf(answered)
    },
  }
}

/**
 * A library is believed as far as it keeps to the standard: neither a value nor issues is no answer. What it answers may be
 * an object of any class, a list too.
 */
function answerOf(answered: unknown): SchemaAnswer {
  const nonsense: SchemaAnswer = { kind: 'nonsense', problem: `the schema answered ${showValue(answered)}` }
  if (typeof answered !== 'object' || answered === null) return nonsense
  const issues = 'issues' in answered ? answered.issues : undefined
  if (issues === undefined) return 'value' in answered ? { kind: 'valid' } : nonsense
  const parsed = issueList.safeParse(issues)
  if (!parsed.success) return nonsense
  const violations = parsed.data.map(({ message, path = [] }) => ({ path: pointerOf(path), message }))
  return { kind: 'invalid', violations }
}
