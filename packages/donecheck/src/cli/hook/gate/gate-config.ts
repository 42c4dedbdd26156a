/** Reads the pinned configuration without the schema, which takes longer to build than everything else. */
import type { Config } from '../../../config/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import { approvalPolicies } from '@donecheck/engine/gate'
import { NeedsMore } from '../input/request.ts'

type Test = (value: unknown) => boolean

const isText: Test = (value) => typeof value === 'string'
const isOneOf =
  (words: readonly string[]): Test =>
  (value) =>
    words.some((word) => word === value)
const isListOf =
  (isItem: Test): Test =>
  (value) =>
    Array.isArray(value) && value.every(isItem)
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isTextsByName: Test = (value) =>
  isObject(value) && !Array.isArray(value) && Object.values(value).every(isText)
const isCheck: Test = (value) => isObject(value) && 'command' in value && isText(value.command)

const fields = {
  approval: isOneOf(approvalPolicies),
  gate: isOneOf(['on', 'shadow']),
  writable: isListOf(isText),
  until: isListOf(isCheck),
  heldOut: isListOf(isCheck),
  protect: isListOf(isText),
  mayChange: isListOf(isText),
  tamperGuard: (value) => typeof value === 'boolean',
  rules: isListOf(isText),
  keptRules: isTextsByName,
  keptProjectRules: isTextsByName,
  keptCheckLines: isListOf(isText),
  commandRules: Array.isArray,
  projectCommandRules: Array.isArray,
  projectRules: isOneOf(['trusted', 'tighten', 'off']),
} as const satisfies Partial<Record<keyof Config, Test>>

export type GateConfig = Pick<Config, keyof typeof fields>

/** Falls back to the schema for anything unexpected, which reports what is wrong. */
export function gateConfigOf(config: Readonly<Record<string, JsonValue>>): GateConfig {
  const isPlain = Object.entries(fields).every(
    ([key, test]) => config[key] === undefined || test(config[key]),
  )
  if (!isPlain) throw new NeedsMore('the schema of the configuration')
  return config
}

const ruleKeys = ['rules', 'keptRules', 'commandRules', 'projectCommandRules', 'keptProjectRules'] as const

export function hasRules(config: GateConfig): boolean {
  return ruleKeys.some((key) => Object.keys(config[key] ?? {}).length > 0)
}
