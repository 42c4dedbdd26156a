/** From the configuration to what the tamper guard is told. */
import type { Config } from '../config/index.ts'
import { UsageError } from '../errors.ts'
import type { GuardChoices } from '../guarding.ts'
import { defaultResponses, tamperRules, type Responses, type TamperRule } from '../tamper/index.ts'
import type { Baseline } from './baseline.ts'

export interface GuardRequest {
  readonly config: Config
  readonly homeFolder: string
  readonly baseline: Baseline
}

/** False: it is switched off. @throws {UsageError} for a rule that there is not */
export function guardChoices({ config, homeFolder, baseline }: GuardRequest): GuardChoices | false {
  if (config.tamperGuard === false) return false
  const { checkIn, dependencies, protect, mayChange, heldOutFiles } = config
  return {
    home: homeFolder,
    checkCommands: [...(config.until ?? []), ...(config.heldOut ?? [])].map(({ command }) => command),
    responses: { ...everywhere(config.onTamper), ...responsesOf(config.guardResponses ?? {}) },
    waivers: (config.waive ?? []).flatMap((waiver) =>
      'rule' in waiver ? [{ ...waiver, rule: ruleOf(waiver.rule, 'waive') }] : [],
    ),
    ...(checkIn === undefined ? {} : { checkIn }),
    ...(dependencies === undefined ? {} : { dependencies }),
    ...(protect === undefined ? {} : { protect }),
    ...(mayChange === undefined ? {} : { mayChange }),
    ...(heldOutFiles === undefined ? {} : { heldOutFiles }),
    ...(baseline.kind === 'revision' ? { baseline: baseline.revision } : {}),
    ...(baseline.kind === 'recorded' ? { snapshotRunId: baseline.runId } : {}),
  }
}

/** What is only noted by default stays a note: it is no tampering yet. */
function everywhere(response: Config['onTamper']): Partial<Responses> {
  if (response === undefined) return {}
  const rules = tamperRules.filter((rule) => defaultResponses[rule] !== 'note')
  return Object.fromEntries(rules.map((rule) => [rule, response]))
}

function responsesOf(given: NonNullable<Config['guardResponses']>): Partial<Responses> {
  return Object.fromEntries(
    Object.entries(given).map(([rule, response]) => [ruleOf(rule, 'guardResponses'), response]),
  )
}

function ruleOf(given: string, list: string): TamperRule {
  const rule = tamperRules.find((known) => known === given)
  if (rule !== undefined) return rule
  throw new UsageError(`${list}: there is no rule "${given}"; the rules are ${tamperRules.join(', ')}`)
}
