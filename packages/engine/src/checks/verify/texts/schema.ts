import type { JsonValue } from '@donecheck/core/internal/events'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { z } from 'zod'
import {
  failedReport,
  listEvidence,
  passedReport,
  showThrown,
  showValue,
  undecidedResult,
} from '../reports/reports.ts'
import { UsageError } from '../../../base/index.ts'
import type { Verifier, VerifierResult } from '../../../ports/checks.ts'
import { readOptions } from '../reports/verifier-of.ts'
import { jsonOf } from './json.ts'
import { sourceCheck, sourceCheckOptions, type SourceCheckOptions } from './source.ts'

/**
 * The source conforms to a Standard Schema or a JSON Schema 2020-12. Non-JSON and violations: `failed`; a
 * schema that throws or is slow: `error`.
 * @throws {UsageError} for an unusable schema, or one that demands nothing
 */
export function schema(definition: StandardSchemaV1 | JsonSchema, given: SourceCheckOptions = {}): Verifier {
  const options = readOptions(sourceCheckOptions, given, 'schema')
  const { shown, validate } = compileSchema(definition)
  const source = options.source ?? { answer: true }
  return sourceCheck({
    title: shown,
    options,
    judge: async (value, label) => {
      const parsed = jsonOf(value, source)
      if (parsed.kind === 'no-json') return failedReport(`${label}: ${parsed.problem}`)
      return schemaReport(await validate(parsed.value), label, `the schema (${shown})`)
    },
  })
}

function schemaReport(answer: SchemaAnswer, label: string, what: string): VerifierResult {
  if (answer.kind === 'valid') return passedReport(`${label} keeps to ${what}`)
  if (answer.kind === 'nonsense') return undecidedResult(`${what} could not decide: ${answer.problem}`)
  const lines = answer.violations.map(({ path, message }) => `${path === '' ? '(root)' : path}: ${message}`)
  const [first = 'no details'] = lines
  const more = lines.length > 1 ? `, and ${lines.length - 1} more` : ''
  return failedReport(`${label} does not keep to ${what}: ${first}${more}`, ...listEvidence(lines))
}

type SchemaAnswer =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly violations: readonly Violation[] }
  /** The schema returned an invalid result. */
  | { readonly kind: 'nonsense'; readonly problem: string }

interface Violation {
  /** JSON Pointer (RFC 6901); empty for the whole value. */
  readonly path: string
  readonly message: string
}

interface CompiledSchema {
  readonly shown: string
  /** May return a promise. Not time-limited. */
  readonly validate: (value: unknown) => SchemaAnswer | Promise<SchemaAnswer>
}

function compileSchema(definition: unknown): CompiledSchema {
  return isStandardSchema(definition) ? compileStandardSchema(definition) : compileJsonSchema(definition)
}

/** @param keys outermost first */
function pointerOf(keys: readonly PropertyKey[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

type JsonSchema = Readonly<Record<string, unknown>>

/** Keywords that demand nothing. */
const annotations = ['$schema', '$id', '$comment', '$defs', 'title', 'description', 'examples', 'default']

/** Own properties only, so `toString` is not present. Style lints refuse valid schemas, so they are off. */
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

/** @throws {UsageError} for another draft, unknown keyword, `format`, external reference, or no demand */
function compileJsonSchema(given: unknown): CompiledSchema {
  const schema = copyOfSchema(given)
  if (Object.keys(schema).every((keyword) => annotations.includes(keyword)))
    throw new UsageError(
      `the JSON Schema ${showValue(given)} demands nothing; give it a keyword such as "type"`,
    )
  if ('$async' in schema)
    throw new UsageError('the JSON Schema has $async; give a schema that answers at once')
  const check = compiledByAjv(schema)
  return {
    shown: 'JSON Schema',
    validate(value) {
      if (check(value)) return { kind: 'valid' }
      return { kind: 'invalid', violations: (check.errors ?? []).map(violationOf) }
    },
  }
}

function compiledByAjv(schema: Readonly<Record<string, JsonValue>>) {
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

/** Protects against later changes. */
function copyOfSchema(given: unknown): Readonly<Record<string, JsonValue>> {
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

function isStandardSchema(schema: unknown): schema is StandardSchemaV1 {
  return (
    ((typeof schema === 'object' && schema !== null) || typeof schema === 'function') && '~standard' in schema
  )
}

/** Standard Schema v1. @throws {UsageError} for another version */
function compileStandardSchema(schema: StandardSchemaV1): CompiledSchema {
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

/** A result needs a value or issues. It may be of any class. */
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
