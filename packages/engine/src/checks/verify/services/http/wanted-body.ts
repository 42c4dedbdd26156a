import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { VerifierReport } from '../../../../ports/checks.ts'
import {
  compileSchema,
  schemaReport,
  type CompiledSchema,
  type JsonSchema,
} from '../../texts/schema/schema.ts'
import { parseJson } from '../../texts/schema/json-in-text.ts'
import { formOf, compilePattern, type CompiledPattern, type Pattern } from '../../texts/text/pattern.ts'
import { decodeUtf8 } from '../../texts/text/source.ts'
import { failedReport, undecidedReport } from '../../reports/reports.ts'
import { withinTime } from '../../texts/text/within-time.ts'

export interface WantedBody {
  /** Its body is JSON that keeps to this schema: a Standard Schema, or a JSON Schema of draft 2020-12. */
  readonly bodySchema?: StandardSchemaV1 | JsonSchema
  /** Stands in the body. */
  readonly bodyMatches?: Pattern
}

/** Nothing else runs while a body is matched. */
const matchTimeoutMs = 1000

/** What is wrong with a body; undefined: nothing. */
export type BodyCheck = (body: Uint8Array) => Promise<VerifierReport | undefined>

/** @throws {UsageError} for a schema or pattern that cannot be used */
export function bodyCheck({ bodySchema, bodyMatches }: WantedBody): BodyCheck {
  const compiled = bodySchema === undefined ? undefined : compileSchema(bodySchema)
  const form = formOf({})
  const pattern = bodyMatches === undefined ? undefined : compilePattern(bodyMatches, form)
  return async (body) => {
    if (compiled === undefined && pattern === undefined) return undefined
    const text = decodeUtf8(body)
    if (text === undefined) return failedReport('the body is no UTF-8 text')
    return (pattern && matchProblem(text, pattern)) ?? (compiled && (await schemaProblem(text, compiled)))
  }
}

function matchProblem(text: string, pattern: CompiledPattern): VerifierReport | undefined {
  const found = withinTime(matchTimeoutMs, () => pattern.find(text, 1))
  if (found.kind === 'timed-out')
    return undecidedReport(`matching the body with ${pattern.shown} did not end`)
  return found.value.length > 0 ? undefined : failedReport(`the body does not match ${pattern.shown}`)
}

async function schemaProblem(text: string, compiled: CompiledSchema): Promise<VerifierReport | undefined> {
  const parsed = parseJson(text)
  if (parsed.kind === 'no-json') return failedReport(`the body: ${parsed.problem}`)
  const bounded = withinTime(matchTimeoutMs, () => compiled.validate(parsed.value))
  if (bounded.kind === 'timed-out') return undecidedReport(`${compiled.shown} did not answer in time`)
  const report = schemaReport(await bounded.value, 'the body', 'the schema')
  return report.status === 'passed' ? undefined : report
}
