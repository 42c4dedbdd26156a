import { nearest } from '@donecheck/core/internal/base'
import type { z } from 'zod'
import { UsageError } from './errors.ts'

/** @param place owner, such as `createAgentLoop` @throws {UsageError} naming key, value, allowed values */
export function assertShape(schema: z.ZodType, value: unknown, place: string): void {
  const parsed = schema.safeParse(value)
  if (parsed.success) return
  const [issue] = parsed.error.issues
  throw new UsageError(`${place}: ${issue === undefined ? 'invalid' : explainIssue(issue, value, schema)}`)
}

/** @param schema looks up allowed keys if one is unknown */
export function explainIssue(issue: z.core.$ZodIssue, given: unknown, schema: unknown): string {
  if (issue.code === 'invalid_union') {
    const [first] = deepestBranch(issue.errors)
    if (first !== undefined && first.path.length > 0)
      return explainIssue({ ...first, path: [...issue.path, ...first.path] }, given, schema)
    const unknown = issue.errors.flat().find(({ code }) => code === 'unrecognized_keys')
    if (unknown !== undefined) return explainIssue({ ...unknown, path: issue.path }, given, schema)
  }
  const key = formatPath(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const known = [...new Set(keysAt(schema, issue.path))]
    return issue.keys.map((unknown) => explainUnknownKey(unknown, key, known)).join('; ')
  }
  const value = valueAt(given, issue.path)
  const expected = expectation(issue)
  const subject = key === '' ? 'the value' : key
  // A value may be absent because it was derived, such as a parsed line.
  if (value === undefined && issue.code === 'invalid_type')
    return explainMisspelling(issue.path, given, schema) ?? `${subject} is missing; it ${expected}`
  const near = typeof value === 'string' ? nearest(value, choicesOf(issue)) : undefined
  const words = [
    `${subject}${expected.startsWith('must ') ? '' : ':'} ${expected}`,
    ...(value === undefined ? [] : [`, not ${formatValue(value)}`]),
    ...(near === undefined ? [] : [`; did you mean "${near}"?`]),
  ]
  return words.join('')
}

function explainUnknownKey(key: string, place: string, known: readonly string[]): string {
  const where = place === '' ? '' : ` in ${place}`
  return `unknown key "${key}"${where}; ${suggestKey(key, known)}`
}

/** Suggests the nearest known key, or lists all. */
export function suggestKey(unknown: string, known: readonly string[]): string {
  const near = nearest(unknown, known)
  return near === undefined ? `known keys: ${known.join(', ')}` : `did you mean "${near}"?`
}

/** A misspelt key says more than a missing one. */
function explainMisspelling(
  path: readonly PropertyKey[],
  given: unknown,
  schema: unknown,
): string | undefined {
  const holderPath = path.slice(0, -1)
  const holder = valueAt(given, holderPath)
  if (path.length === 0 || typeof holder !== 'object' || holder === null) return undefined
  const known = keysAt(schema, holderPath)
  const absent = known.filter((key) => !Object.hasOwn(holder, key))
  const misspelt = Object.keys(holder).find(
    (key) => !known.includes(key) && nearest(key, absent) !== undefined,
  )
  return misspelt === undefined ? undefined : explainUnknownKey(misspelt, formatPath(holderPath), absent)
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}

const typeNames: Readonly<Partial<Record<string, string>>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  function: 'a function',
}

/** Continues a sentence about the key. Keeps our own schema messages and rewords those of zod. */
function expectation(issue: z.core.$ZodIssue): string {
  if (!/^(?:Invalid|Too small|Too big)/.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${oneOf(choicesOf(issue))}`
    case 'too_small':
      return `must ${sizeWords(issue.origin)} ${issue.inclusive === false ? 'more than' : 'at least'} ${String(issue.minimum)}`
    case 'too_big':
      return `must ${sizeWords(issue.origin)} ${issue.inclusive === false ? 'less than' : 'at most'} ${String(issue.maximum)}`
    case 'invalid_format':
      return issue.format === 'url'
        ? 'must be a web address such as http://127.0.0.1:11434/v1'
        : issue.message
    case 'invalid_union': {
      const texts = issue.errors.flatMap(([first]) => (first === undefined ? [] : [expectation(first)]))
      const types = [...new Set(texts)].map((text) => text.replace(/^must be /, ''))
      return types.length === 0 ? issue.message : `must be ${types.join(', or ')}`
    }
    default:
      return issue.message
  }
}

function oneOf(choices: readonly string[]): string {
  return choices.length === 1 ? (choices[0] ?? '') : `one of ${choices.join(', ')}`
}

function sizeWords(origin: string): string {
  return origin === 'array' || origin === 'string' ? 'hold' : 'be'
}

function choicesOf(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String)
  if (issue.code !== 'invalid_union') return []
  return issue.errors.flatMap(([first]) => (first === undefined ? [] : choicesOf(first)))
}

/** Picks the union branch that came closest to the value. */
function deepestBranch(branches: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] {
  const depth = (branch: readonly z.core.$ZodIssue[]) => branch[0]?.path.length ?? 0
  return branches.toSorted((one, other) => depth(other) - depth(one))[0] ?? []
}

/** Reads zod schemas by their fields, because this file is loaded without zod. */
function keysAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const [part, ...rest] = path
  if ('shape' in schema && typeof schema.shape === 'object' && schema.shape !== null)
    return part === undefined ? Object.keys(schema.shape) : keysAt(Reflect.get(schema.shape, part), rest)
  if ('options' in schema && Array.isArray(schema.options))
    return schema.options.flatMap((option: unknown) => keysAt(option, path))
  if ('element' in schema) return keysAt(schema.element, rest)
  if ('valueType' in schema)
    return part === undefined && 'keyType' in schema
      ? enumValues(schema.keyType)
      : keysAt(schema.valueType, rest)
  if ('out' in schema) return keysAt(schema.out, path)
  if ('unwrap' in schema && typeof schema.unwrap === 'function')
    return keysAt(Reflect.apply(schema.unwrap, schema, []), path)
  return []
}

function enumValues(keyType: unknown): readonly string[] {
  const hasOptions = typeof keyType === 'object' && keyType !== null && 'options' in keyType
  return hasOptions && Array.isArray(keyType.options) ? keyType.options.map(String) : []
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    given,
  )
}

const longestValue = 100

function formatValue(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  const text: unknown = JSON.stringify(value)
  return typeof text === 'string' ? text.slice(0, longestValue) : String(value)
}
