import { mergeConfigs, parseConfig, type Config } from '../../../config/index.ts'
import { given, UsageError } from '@donecheck/engine/internal/base'
import type { ApprovalPolicy, PolicyGateOptions, PolicyRule } from '@donecheck/engine/gate'
import { choicesWith } from './gate.ts'
import { type CliIo, resolveWorkFolder } from '../../process/io.ts'
import { namedRulesAlone, rulesOfBeginning } from './rules.ts'
import { resolveSettings } from '../../settings/settings.ts'
import type { Flags } from '../../options/flags.ts'

export type PolicyFlags = Flags<
  'config' | 'script' | 'workdir',
  'rulesOnly' | 'pretty' | 'resolveHostExecutables' | 'unconfined',
  'rules'
> & {
  readonly projectRules?: 'trusted' | 'tighten' | 'off'
  readonly approval?: Extract<ApprovalPolicy, string>
}

export interface PolicyInForce {
  readonly kind: 'in-force'
  readonly policy: PolicyGateOptions
}

interface FaultyRules {
  readonly kind: 'faulty'
  readonly problems: readonly string[]
}

/** @throws {UsageError} for an invalid configuration or folder */
export async function policyInForce(flags: PolicyFlags, io: CliIo): Promise<PolicyInForce | FaultyRules> {
  const { config, workFolder } = await policyConfig(flags, io)
  const rules = await rulesOrFaults(() =>
    flags.rulesOnly === true ? namedRulesAlone(config, io) : rulesOfBeginning(config, workFolder, io),
  )
  if ('problems' in rules) return rules
  const policy = {
    ...(await choicesWith(rules, config, workFolder, io)),
    workFolder,
    sandbox: { isConfined: flags.unconfined !== true && config.sandbox !== 'off' },
    protect: protectOf(config),
  }
  return { kind: 'in-force', policy }
}

async function rulesOrFaults(
  read: () => Promise<readonly PolicyRule[]>,
): Promise<readonly PolicyRule[] | FaultyRules> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { kind: 'faulty', problems: error.message.split('\n') }
  }
}

async function policyConfig(
  { rules, rulesOnly, projectRules, approval, workdir, config: named }: PolicyFlags,
  io: CliIo,
): Promise<{ readonly config: Config; readonly workFolder: string }> {
  const flags = parseConfig(given({ rules, projectRules, approval }), 'flags')
  if (rulesOnly === true) return { config: flags, workFolder: resolveWorkFolder(workdir, io) }
  const { config, workFolder } = await resolveSettings(given({ workdir, config: named }), io)
  return { config: mergeConfigs(config, flags), workFolder: resolveWorkFolder(workFolder, io) }
}

function protectOf({ tamperGuard, until = [], heldOut = [], mayChange = [], protect = [] }: Config) {
  if (tamperGuard === false) return { mayChange: ['**'] }
  return { mayChange, protect, checkCommands: [...until, ...heldOut].map(({ command }) => command) }
}
