/** From the configuration to what confines the commands of a model. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configFileNames, type Config } from '../../../config/index.ts'
import { given } from '@donecheck/engine/base'
import type { Sandbox } from '@donecheck/engine/ports/gate'
import { chooseSandbox } from '@donecheck/engine/sandbox'
import { protectionOf, scriptsNamedIn } from '@donecheck/engine/protect'
import { hookCommands } from '../loop/command-hooks.ts'
import { writableOf } from './gate-choices.ts'
import type { CliIo } from '../../process/io.ts'
import { userRulesFolder } from './rules-folder.ts'

/**
 * Of a run with tools of its own: agent programs bring theirs, and what confines them.
 * @throws {UsageError} when a named driver does not work here
 */
export function sandboxFor(
  config: Config,
  workFolder: string,
  storeFolder: string,
  io: CliIo,
): Promise<Sandbox> {
  return chooseSandbox({
    wanted: config.sandbox ?? 'auto',
    workFolder,
    network: config.allowNetwork === true ? 'on' : 'off',
    deniedPaths: [storeFolder, userRulesFolder(io)],
    homeFolder: io.homeFolder,
    environment: io.environment,
    temporaryFolder: passingFolder(),
    protectedPaths: fixedPaths(config, workFolder),
    ...given({ writableFolders: writableOf(config, io) }),
  })
}

/** The scripts that the checks and hooks name, and what later runs would go by: whatever a command does, they stay as they are. */
function fixedPaths(config: Config, workFolder: string): readonly string[] {
  const { until = [], mayChange = [], protect = [], tamperGuard } = config
  if (tamperGuard === false) return []
  const checkCommands = [...until.map(({ command }) => command), ...hookCommands(config)]
  const options = { checkCommands, mayChange, protect }
  const scripts = [...scriptsNamedIn(checkCommands)].filter(
    (path) => protectionOf(path, options) === 'check-script',
  )
  return [...scripts, ...configFileNames, ownFolder].filter((path) => existsSync(join(workFolder, path)))
}

/** Of the project, with its rules in it. */
const ownFolder = '.donecheck'

/** What one command leaves in its `/tmp` the next one finds; it is gone with the process. */
function passingFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'donecheck-sandbox-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
