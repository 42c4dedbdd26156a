/** The gate before calls of an agent: what it would ask about is left to the agent's own permissions. */
import { given } from '@donecheck/engine/internal/base'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { HostAct } from '@donecheck/agents/internal/protocol/host'
import { findGuardedWord, policyGate, type PolicyRule, approvalPolicies } from '@donecheck/engine/gate'
import type { Gate, GateDecision } from '@donecheck/engine/internal/ports/gate'
import { decompose } from '@donecheck/engine/internal/analysis/shell'
import { userRulesFolder } from '../../wiring/gate/rules-folder.ts'
import { findNamedPlace } from './named-places.ts'
import type { Config } from '../../../config/index.ts'
import type { JsonValue } from '@donecheck/core/internal/events'
import { type HookRequest, NeedsMore } from '../request.ts'

export { prepareAct } from '@donecheck/agents/internal/session'

/** @param act `command` if unknown @param config the parsed configuration; absent reads plain fields only */
export async function hookGate(
  request: HookRequest,
  ownPlaces: readonly string[],
  act: HostAct['kind'],
  config: GateConfig = gateConfigOf(request.configuration.config),
): Promise<Gate> {
  const { workFolder, homeFolder } = request
  const { approval = 'writes', gate, writable = [], until = [], heldOut = [] } = config
  const byPolicy = policyGate({
    workFolder,
    homeFolder,
    approval,
    rules: [...(await rulesFor(config, request)), ...(act === 'command' ? untouchable(ownPlaces) : [])],
    sandbox: { isConfined: false },
    isForOneCall: true,
    ownChecks: config.keptCheckLines ?? until.map(({ command }) => command),
    protect: {
      protect: config.protect ?? [],
      mayChange: config.tamperGuard === false ? ['**'] : (config.mayChange ?? []),
      checkCommands: [...until, ...heldOut].map(({ command }) => command),
    },
    writableFolders: writable.map((folder) => resolve(workFolder, folder)),
    ...given({ mode: gate }),
  })
  return {
    ...byPolicy,
    // Applies in shadow mode, too.
    check: async (asked) =>
      objectionOfOurs(asked, request, ownPlaces, config) ?? (await byPolicy.check(asked)),
  }
}

/** The agent must not remove the guard, whatever the user's rules allow. */
function objectionOfOurs(
  { action }: Parameters<Gate['check']>[0],
  { workFolder, homeFolder }: HookRequest,
  ownPlaces: readonly string[],
  config: Pick<GateConfig, 'until' | 'heldOut'>,
): GateDecision | undefined {
  if (action?.kind !== 'command') return undefined
  const line = decompose(action.script)
  const { commands } = line
  const { until = [], heldOut = [] } = config
  const pinned = [...until, ...heldOut].map(({ command }) => command)
  const word = findGuardedWord(commands, pinned)
  if (word !== undefined)
    return forbid(`\`donecheck ${word}\` is for the person, or the program, that watches over this work`)
  const from = action.folder === '' ? workFolder : action.folder
  const named = findNamedPlace(action.script, line, { workFolder: from, homeFolder, ownPlaces })
  return named === undefined
    ? undefined
    : forbid(
        `\`${named}\` is, or holds, part of what watches over this work, and what is given it here may change it`,
      )
}

function forbid(reason: string): GateDecision {
  return { kind: 'forbidden', label: 'policy_forbidden', reason }
}

/** Loading the rule parser is slow, so it is skipped if there are no rules. */
async function rulesFor(config: GateConfig, request: HookRequest): Promise<readonly PolicyRule[]> {
  if (!hasRules(config) && !existsSync(userRulesFolder(request))) return []
  const { loadAllRules } = await import('../../wiring/gate/rules.ts')
  return loadAllRules(config, { ...request, currentFolder: request.workFolder })
}

/** For commands; files changed by tools are checked before the gate. */
function untouchable(ownPlaces: readonly string[]): readonly PolicyRule[] {
  const paths = ownPlaces.flatMap((place) => [place, `${place}/**`])
  const justification = 'it is part of what watches over this work'
  return [{ kind: 'path', paths, decision: 'forbidden', justification, source: { layer: 'run' } }]
}

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
