import { given, UsageError } from '@donecheck/engine/base'
import type { GuardChoices } from '@donecheck/engine/compose'
import { tamperRules, type TamperRule } from '@donecheck/engine/tamper'
import type { GuardWaiver } from '@donecheck/engine/workspace'
import type { Config } from '../../../config/index.ts'
import type { Baseline } from '../checks/baseline.ts'
import { hookCommands } from './command-hooks.ts'

export interface GuardRequest {
  readonly config: Config
  readonly homeFolder: string
  readonly baseline: Baseline
}

/** @returns false if it is off @throws {UsageError} for an unknown rule */
export function guardChoices({ config, homeFolder, baseline }: GuardRequest): GuardChoices | false {
  if (config.tamperGuard === false) return false
  const { onTamper, checkIn, protect, mayChange, heldOutFiles } = config
  return {
    home: homeFolder,
    checkCommands: [
      ...[...(config.until ?? []), ...(config.heldOut ?? [])].map(({ command }) => command),
      ...hookCommands(config),
    ],
    waivers: waiversOf(config),
    ...given({ onTamper, checkIn, protect, mayChange, heldOutFiles }),
    ...(baseline.kind === 'revision' ? { baseline: baseline.revision } : {}),
    ...(baseline.kind === 'recorded' ? { snapshotRunId: baseline.runId } : {}),
  }
}

function waiversOf({ waive = [] }: Config): readonly GuardWaiver[] {
  return waive.flatMap((waiver): readonly GuardWaiver[] => {
    if ('check' in waiver) return []
    return ['rule' in waiver ? { ...waiver, rule: ruleOf(waiver.rule) } : waiver]
  })
}

function ruleOf(name: string): TamperRule {
  const rule = tamperRules.find((known) => known === name)
  if (rule !== undefined) return rule
  throw new UsageError(`waive: there is no rule "${name}"; the rules are ${tamperRules.join(', ')}`)
}
