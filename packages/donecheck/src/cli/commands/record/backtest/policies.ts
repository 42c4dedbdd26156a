/** Stop policies as they are typed: settings of a configuration, laid over those of the project. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { bounds, capTable } from '@donecheck/core/budgets'
import type { StopPolicy } from '@donecheck/engine/backtest'
import { given, messageOf, UsageError } from '@donecheck/engine/base'
import { capsOf, softSettingsOf } from '@donecheck/engine/compose'
import { scriptedDrive } from '@donecheck/engine/drives'
import { parseConfig, type Config } from '../../../../config/index.ts'
import { orUsageError } from '../../../process/usage-error.ts'
import { hardCapOf } from '../../../wiring/loop/caps.ts'
import { softVerifiersOf } from '../../../wiring/judging/judging-options.ts'

/** The policy of the project's configuration. */
export const currentName = 'current'

const policyKeys: readonly string[] = [
  ...bounds.map((bound) => capTable[bound].key),
  'loopDetection',
  'stagnation',
  'tokenBudget',
]

/**
 * @param typed `NAME=SETTINGS`: JSON, the name of a file with JSON, or `key=value` with commas between; keys of the
 *   configuration, with dots where one lies in another
 * @throws {UsageError} for what is none of these, and for settings with which no run could begin
 */
export function typedPolicy(typed: string, current: Config, folder: string): StopPolicy {
  const [, name = '', settings = ''] = /^([^={]+)=(.+)$/s.exec(typed) ?? []
  if (name === '')
    throw new UsageError(`--policy "${typed}" is not of the form NAME=SETTINGS, such as short=maxTurns=20`)
  return policyOf(name, current, readSettings(settings, folder, `policy "${name}"`))
}

function readSettings(settings: string, folder: string, source: string): unknown {
  const file = resolve(folder, settings)
  if (settings.startsWith('{')) return jsonOf(settings, source)
  if (existsSync(file)) return jsonOf(readFileSync(file, 'utf8'), settings)
  if (!settings.includes('='))
    throw new UsageError(`${source}: there is no file ${file}, and "${settings}" is no key=value`)
  return nested(settings.split(',').map((pair) => pairOf(pair, source)))
}

function jsonOf(text: string, source: string): unknown {
  return orUsageError<unknown>(
    () => JSON.parse(text),
    (error) => `${source} is not JSON: ${messageOf(error)}`,
  )
}

type Pair = readonly [key: string, value: unknown]

function pairOf(pair: string, source: string): Pair {
  const [, key, value] = /^([^=]+)=(.+)$/s.exec(pair.trim()) ?? []
  if (key === undefined || value === undefined) throw new UsageError(`${source}: "${pair}" is not key=value`)
  const isPlain = /^(?:null|true|false|-?\d+(?:\.\d+)?)$/.test(value)
  return [key, isPlain ? JSON.parse(value) : value]
}

/** `loopDetection.vetoesUntilEnd` lies in `loopDetection`. */
function nested(pairs: readonly Pair[]): Readonly<Record<string, unknown>> {
  const whole: Record<string, unknown> = {}
  for (const [key, value] of pairs) {
    const [outer = '', ...inner] = key.split('.')
    const before = whole[outer]
    whole[outer] =
      inner.length === 0 ? value : { ...(isGroup(before) ? before : {}), [inner.join('.')]: value }
  }
  return whole
}

/** @throws {UsageError} for settings with which no run could begin */
export function policyOf(name: string, current: Config, settings: unknown = {}): StopPolicy {
  const config = settingsOver(current, settings, `policy "${name}"`)
  // What the model's window is, a record does not tell: the default of the cap on tokens would be a guess.
  const isGuess = config.maxTokens === undefined && config.contextWindowTokens === undefined
  const drive = scriptedDrive([], { description: windowOf(config) }).description
  const caps = { ...capsOf(hardCapOf(config), drive), ...(isGuess ? { maxTokens: null } : {}) }
  return { name, caps, soft: softSettingsOf(softVerifiersOf(config), caps, drive) }
}

function windowOf({ contextWindowTokens, agent }: Config) {
  return {
    ...given({ contextWindowTokens }),
    ...(agent === undefined ? {} : { ownsTools: true as const }),
  }
}

/** Groups of settings are laid over those of the project key by key. */
export function settingsOver(current: Config, settings: unknown, source: string): Config {
  const typed: unknown = parseConfig(settings, source)
  if (!isGroup(typed)) return current
  const stranger = Object.keys(typed).find((key) => !policyKeys.includes(key))
  if (stranger !== undefined)
    throw new UsageError(
      `${source}: ${stranger} is no part of a stop policy; those are ${policyKeys.join(', ')}`,
    )
  const merged = Object.entries(typed).map(([key, value]) => {
    const before = groupOf(Reflect.get(current, key))
    return [key, isGroup(value) ? { ...before, ...value } : value]
  })
  return parseConfig({ ...current, ...Object.fromEntries(merged) }, source)
}

/** A mode stands for a group that holds nothing else. */
function groupOf(value: unknown): Readonly<Record<string, unknown>> {
  if (isGroup(value)) return value
  return typeof value === 'string' ? { mode: value } : {}
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
