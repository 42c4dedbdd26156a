/** Rule files: the door from text to rules. */
import { homedir } from 'node:os'
import type { Place } from './builders/absolute-path.ts'
import { wrongExamples } from './match/check-examples.ts'
import { ruleFunctionNames, ruleOfCall } from './rule-functions.ts'
import type { PolicyRule, RuleLayer } from './rule.ts'
import { readCalls } from './starlark/read-calls.ts'
import { SourceFault } from './starlark/source-fault.ts'
import { assertKnownKeys, messageOf, optionKeys } from '../../../base/index.ts'

export interface ReadOptions {
  /** As it is named in complaints and in the sources of the rules. */
  readonly file: string
  readonly layer: RuleLayer
  /** Rules that were read before: their `host_executable` count for the examples of this file. */
  readonly earlier?: readonly PolicyRule[]
  /** Absolute; from where relative programs in examples are resolved. Default: the working folder. */
  readonly folder?: string
  /** Absolute. Default: that of the user. */
  readonly home?: string
}

const readKeys = optionKeys<ReadOptions>()('file! layer! earlier folder home')

export interface InvalidRules {
  readonly kind: 'invalid'
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly column?: number
  readonly problem: string
}

export type ReadRules = { readonly kind: 'rules'; readonly rules: readonly PolicyRule[] } | InvalidRules

const maxLength = 500_000

/** All of the file or nothing of it: what is not understood is a problem, never left out. Never throws. */
export function readRules(text: string, options: ReadOptions): ReadRules {
  assertKnownKeys(options, readKeys, 'readRules')
  const { file, layer, earlier = [] } = options
  if (text.length > maxLength)
    return { kind: 'invalid', file, line: 1, problem: `longer than ${maxLength} characters` }
  let rules: readonly PolicyRule[]
  try {
    rules = readCalls(text, ruleFunctionNames).map((call) => ruleOfCall(call, { layer, file }))
  } catch (error) {
    return invalid(file, error)
  }
  const place: Place = { folder: options.folder ?? process.cwd(), home: options.home ?? homedir() }
  const [wrong] = wrongExamples(rules, [...earlier, ...rules], place)
  if (wrong === undefined) return { kind: 'rules', rules }
  return { kind: 'invalid', file, line: wrong.rule.source.line ?? 1, problem: wrong.problem }
}

function invalid(file: string, error: unknown): InvalidRules {
  if (error instanceof SourceFault) {
    const { position, message } = error
    return { kind: 'invalid', file, line: position.line, column: position.column, problem: message }
  }
  const problem = messageOf(error)
  return { kind: 'invalid', file, line: 1, problem: `cannot be read: ${problem}` }
}
