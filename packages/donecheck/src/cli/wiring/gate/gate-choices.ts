/** From the configuration to what the policy gate is told. */
import { given } from '@donecheck/engine/base'
import { join, resolve } from 'node:path'
import type { Config } from '../../../config/index.ts'
import type { PolicyGateOptions, PolicyRule, GateChoices } from '@donecheck/engine/gate'
import type { CliIo } from '../../process/io.ts'
import { regenerablePaths } from '../loop/made-again.ts'
import { loadAllRules } from './rules.ts'
import { userRulesFolder } from './rules-folder.ts'

/** @throws {UsageError} for rules that cannot be understood */
export async function resolveGateChoices(
  config: Config,
  workFolder: string,
  io: CliIo,
): Promise<GateChoices> {
  return await choicesWith(await loadAllRules(config, io), config, workFolder, io)
}

type Choices = GateChoices & Pick<PolicyGateOptions, 'approval' | 'rules'>

/** The same with rules that are at hand. */
export async function choicesWith(
  rules: readonly PolicyRule[],
  config: Config,
  workFolder: string,
  io: CliIo,
): Promise<Choices> {
  return {
    approval: config.approval ?? 'on-request',
    rules,
    keep: { file: join(userRulesFolder(io), 'default.rules') },
    homeFolder: io.homeFolder,
    canBeMadeAgain: await regenerablePaths(workFolder),
    ...given({
      whenUndecidable: config.undecidable,
      mode: config.gate,
      writableFolders: writableOf(config, io),
    }),
  }
}

/** Absolute. Undefined: none are named. */
export function writableOf({ writable }: Config, { currentFolder }: CliIo): string[] | undefined {
  return writable?.map((folder) => resolve(currentFolder, folder))
}
