/** What the gate of a hook takes of the pinned configuration, without the schema: to make that takes longer than all else. */
import type { Config } from '../../config/index.ts'
import type { JsonValue } from '../../events/index.ts'
import { gateKinds } from '../../gate-kinds.ts'
import { approvalPolicies } from '../../gate/index.ts'
import { NeedsMore } from './needs-more.ts'

export type GateConfig = Pick<
  Config,
  | 'approval'
  | 'undecidable'
  | 'gate'
  | 'writable'
  | 'until'
  | 'heldOut'
  | 'protect'
  | 'mayChange'
  | 'tamperGuard'
  | 'rules'
  | 'keptRules'
  | 'commandRules'
  | 'projectCommandRules'
  | 'projectRules'
  | 'keptProjectRules'
>

/**
 * What of the configuration the gate looks at. It was read in full when the hooks were installed; whatever is not as it was
 * written then is left to the schema, which says what is wrong with it.
 */
export function gateConfigOf(config: Readonly<Record<string, JsonValue>>): GateConfig {
  const isPlain =
    isOneOf(config['approval'], approvalPolicies) &&
    isOneOf(config['undecidable'], gateKinds) &&
    isOneOf(config['gate'], ['on', 'shadow']) &&
    [config['writable'], config['protect'], config['mayChange']].every(isTexts) &&
    [config['until'], config['heldOut']].every(isChecks) &&
    (config['tamperGuard'] === undefined || typeof config['tamperGuard'] === 'boolean') &&
    isTexts(config['rules']) &&
    [config['keptRules'], config['keptProjectRules']].every(isTextsByName) &&
    // Each of these is looked at where it is made a rule.
    [config['commandRules'], config['projectCommandRules']].every(isList) &&
    isOneOf(config['projectRules'], ['trusted', 'tighten', 'off'])
  if (!isPlain) throw new NeedsMore('the schema of the configuration')
  return config
}

/** To read rules takes more than to have none. */
export function hasRules(config: GateConfig): boolean {
  return ruleKeys.some((key) => !isWithout(config[key]))
}

const ruleKeys = ['rules', 'keptRules', 'commandRules', 'projectCommandRules', 'keptProjectRules'] as const

/** Pinned as none, or not at all. */
function isWithout(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  )
}

function isOneOf(value: JsonValue | undefined, words: readonly string[]): boolean {
  return value === undefined || (typeof value === 'string' && words.includes(value))
}

function isList(value: JsonValue | undefined): boolean {
  return value === undefined || Array.isArray(value)
}

function isTextsByName(value: JsonValue | undefined): boolean {
  if (value === undefined) return true
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && Object.values(value).every((one) => typeof one === 'string')
}

function isTexts(value: JsonValue | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'))
}

function isChecks(value: JsonValue | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.every(hasCommand))
}

function hasCommand(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && 'command' in value && typeof value.command === 'string'
  )
}
