import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonValue } from '@donecheck/core/events'
import type { Verifier, VerifierReport } from '../../../../ports/checks.ts'
import { failedReport, listEvidence, passedReport } from '../text/report.ts'
import { readSource } from '../text/read-source.ts'
import {
  matchTimeoutOf,
  nameOf,
  tooSlow,
  type SourceCheckOptions,
  sourceCheckKeys,
} from '../text/source-check.ts'
import { inputsOf, readsOf, showSource, sourceOf } from '../text/source.ts'
import { withinTime } from '../text/within-time.ts'
import { undecidedReport } from '../../reports/undecided.ts'
import { verifierBy, type UserVerifier } from '../../reports/verifier-of.ts'
import { jsonOf } from './json-of.ts'
import type { ParsedJson } from './parse-json.ts'
import { compileJsonSchema, type JsonSchema } from './json-schema.ts'
import { compileStandardSchema, isStandardSchema } from './standard-schema.ts'
import type { CompiledSchema, SchemaAnswer } from './violations.ts'
import { assertKnownKeys } from '../../../../base/index.ts'

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
  const { compiled, json } = compile(definition)
  const source = sourceOf(options.source)
  const matchTimeoutMs = matchTimeoutOf(options)
  const ask: UserVerifier = async (context, signal) => {
    const read = await readSource(source, context, signal)
    if (read.kind === 'not-read') return read.report
    const label = showSource(source)
    const answer = withinTime(matchTimeoutMs, () => validate(read.value))
    if (answer.kind === 'timed-out') return tooSlow(compiled.shown, matchTimeoutMs)
    const report = reportOf(await answer.value, label, compiled.shown)
    return { ...report, evidence: [...read.evidence, ...report.evidence] }
  }
  const validate = (value: unknown) => {
    const parsed = jsonOf(value, source)
    return parsed.kind === 'no-json' ? parsed : compiled.validate(parsed.value)
  }
  const inputs = inputsOf(source, json)
  return {
    ...verifierBy(nameOf(compiled.shown, source, options), ask, {
      ...options,
      looksAt: 'work-folder',
      reads: readsOf(source),
    }),
    ...(inputs === undefined ? {} : { inputs }),
  }
}

type NoJson = Extract<ParsedJson, { readonly kind: 'no-json' }>

interface Compiled {
  readonly compiled: CompiledSchema
  /** Undefined: a library's schema is code. */
  readonly json: JsonValue | undefined
}

function compile(definition: unknown): Compiled {
  if (isStandardSchema(definition)) return { compiled: compileStandardSchema(definition), json: undefined }
  const compiled = compileJsonSchema(definition)
  return { compiled, json: { kind: 'schema', jsonSchema: compiled.schema } }
}

function reportOf(answer: SchemaAnswer | NoJson, label: string, shown: string): VerifierReport {
  switch (answer.kind) {
    case 'no-json':
      return failedReport(`${label}: ${answer.problem}`)
    case 'valid':
      return passedReport(`${label} keeps to the schema (${shown})`)
    case 'nonsense':
      return undecidedReport(`${shown} could not decide: ${answer.problem}`)
    case 'invalid': {
      const lines = answer.violations.map(
        ({ path, message }) => `${path === '' ? '(root)' : path}: ${message}`,
      )
      const [first = 'no details'] = lines
      const more = lines.length > 1 ? `, and ${lines.length - 1} more` : ''
      return failedReport(
        `${label} does not keep to the schema (${shown}): ${first}${more}`,
        ...listEvidence(lines),
      )
    }
  }
}
