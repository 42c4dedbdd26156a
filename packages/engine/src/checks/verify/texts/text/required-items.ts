import { UsageError, assertKnownKeys, assertList } from '../../../../base/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import type { Verifier, VerifierReport } from '../../../../ports/checks.ts'
import { equalJson } from '../../work-tree/files/equal-json.ts'
import {
  showValue,
  undecidedReport,
  failedReport,
  listEvidence,
  passedReport,
} from '../../reports/reports.ts'
import { formOf, type TextForm, compilePattern, type CompiledPattern } from './pattern.ts'
import { sourceCheck, type FormedCheckOptions, formedCheckKeys } from './source.ts'
import { cutList } from './text-checks.ts'

/** A text or regular expression; of a list that a function gives, an item may be any JSON. */
export type RequiredItem = JsonValue | RegExp

interface Item {
  readonly shown: string
  readonly definition: JsonValue
  /** Undefined: only an equal member of a list fulfils it. */
  readonly pattern: CompiledPattern | undefined
  readonly json: JsonValue | undefined
}

/**
 * Every item is there; each one that is missing is named. Reads one source (the answer by default): in a text each
 * item stands somewhere, in a list (of a function) each equals a member strictly, so that 1 is neither true nor "1".
 * @throws {UsageError} for an empty list, an empty item, or an item that no text could hold
 */
export function requiredItems(items: readonly RequiredItem[], options: FormedCheckOptions = {}): Verifier {
  assertKnownKeys(options, formedCheckKeys, 'requiredItems')
  assertList(items, 'requiredItems', 'a list of texts or regular expressions: ["Summary"]')
  if (items.length === 0)
    throw new UsageError('requiredItems has no item, and every text would do; give at least one')
  const compiled = items.map((item) => compileItem(item, options))
  const isText = !('value' in (options.source ?? {}))
  const misfit = compiled.find(({ pattern }) => pattern === undefined)
  if (isText && misfit !== undefined)
    throw new UsageError(`the item ${misfit.shown} cannot stand in a text; give it as a text`)
  return sourceCheck({
    title: `has ${cutList(compiled.map(({ shown }) => shown))}`,
    definition: { kind: 'requiredItems', items: compiled.map(({ definition }) => definition) },
    options,
    judge: (value, label) => judge(compiled, value, label),
  })
}

function compileItem(item: RequiredItem, options: TextForm): Item {
  if (typeof item === 'string' || item instanceof RegExp) {
    const pattern = compilePattern(item, formOf(options))
    const json = typeof item === 'string' ? item : undefined
    return { shown: pattern.shown, definition: pattern.definition, pattern, json }
  }
  return { shown: showValue(item), definition: { json: item }, pattern: undefined, json: item }
}

function judge(items: readonly Item[], value: unknown, label: string): VerifierReport {
  if (typeof value !== 'string' && !Array.isArray(value))
    return undecidedReport(`${label} is ${showValue(value)}, which is neither a text nor a list`)
  const missing = items.filter((item) =>
    typeof value === 'string' ? !standsIn(item, value) : !value.some((member) => fulfils(item, member)),
  )
  if (missing.length === 0) return passedReport(`${label} has all ${items.length} required items`)
  const names = missing.map(({ shown }) => shown)
  return failedReport(
    `${label} lacks ${missing.length} of ${items.length} required items: ${cutList(names)}`,
    ...listEvidence(names.map((name) => `missing: ${name}`)),
  )
}

function standsIn({ pattern }: Item, text: string): boolean {
  return pattern !== undefined && pattern.find(text, 1).length > 0
}

function fulfils(item: Item, member: unknown): boolean {
  if (item.json !== undefined) return equalJson(member, item.json)
  return typeof member === 'string' && standsIn(item, member)
}
