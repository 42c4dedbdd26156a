import type { StandardSchemaV1 } from '@standard-schema/spec'
import { assertKnownKeys } from '../../../../base/index.ts'
import type { Verifier, VerifierReport } from '../../../../ports/checks.ts'
import { failedReport, listEvidence, passedReport, undecidedReport } from '../../reports/reports.ts'
import { sourceCheck, sourceCheckKeys, type SourceCheckOptions } from '../text/source-check.ts'
import { compileSchema, type JsonSchema, type SchemaAnswer } from './compile-schema.ts'
import { jsonOf } from './json-in-text.ts'

/**
 * What was read keeps to a schema: a Standard Schema (zod, valibot, arktype; it may answer later) or a JSON Schema of draft
 * 2020-12. Reads one source (the answer by default): an answer is JSON as a whole or in exactly one fenced block, a file is
 * JSON as a whole, a value is taken as it is. Text that is no JSON is `failed` with its place, and so is every violation
 * with its JSON Pointer. A schema that throws, answers nonsense or takes too long is `error`.
 * @throws {UsageError} for a schema that cannot be used, or demands nothing
 */
export function schema(
  definition: StandardSchemaV1 | JsonSchema,
  options: SourceCheckOptions = {},
): Verifier {
  assertKnownKeys(options, sourceCheckKeys, 'schema')
  const { shown, json, validate } = compileSchema(definition)
  const source = options.source ?? { answer: true }
  return sourceCheck({
    title: shown,
    definition: json === undefined ? undefined : { kind: 'schema', jsonSchema: json },
    options,
    judge: async (value, label) => {
      const parsed = jsonOf(value, source)
      if (parsed.kind === 'no-json') return failedReport(`${label}: ${parsed.problem}`)
      return schemaReport(await validate(parsed.value), label, `the schema (${shown})`)
    },
  })
}

export function schemaReport(answer: SchemaAnswer, label: string, what: string): VerifierReport {
  if (answer.kind === 'valid') return passedReport(`${label} keeps to ${what}`)
  if (answer.kind === 'nonsense') return undecidedReport(`${what} could not decide: ${answer.problem}`)
  const lines = answer.violations.map(({ path, message }) => `${path === '' ? '(root)' : path}: ${message}`)
  const [first = 'no details'] = lines
  const more = lines.length > 1 ? `, and ${lines.length - 1} more` : ''
  return failedReport(`${label} does not keep to ${what}: ${first}${more}`, ...listEvidence(lines))
}
