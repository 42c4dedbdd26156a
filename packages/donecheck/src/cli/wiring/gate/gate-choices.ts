/** From the configuration to what the policy gate is told. */
import { given } from '@donecheck/engine/base'
import { join, resolve, posix } from 'node:path'
import type { Config } from '../../../config/index.ts'
import type { PolicyGateOptions, PolicyRule, GateChoices } from '@donecheck/engine/gate'
import type { CliIo } from '../../process/io.ts'
import { loadAllRules } from './rules.ts'
import { userRulesFolder } from './rules-folder.ts'
import { askGit } from '../../tree/git.ts'

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
    ownChecks: config.keptCheckLines ?? (config.until ?? []).map(({ command }) => command),
    ...given({
      mode: config.gate,
      writableFolders: writableOf(config, io),
    }),
  }
}

/** Absolute. Undefined: none are named. */
export function writableOf({ writable }: Config, { currentFolder }: CliIo): string[] | undefined {
  return writable?.map((folder) => resolve(currentFolder, folder))
}

/** Nobody keeps anything in a folder of such a name. */
const unmistakable =
  /^(?:node_modules|__pycache__|\.(?:pytest|mypy|ruff|parcel)[_-]cache|\.nyc_output|\.next|\.nuxt|\.svelte-kit|\.turbo|\.vite|\.angular|\.tox|\.nox|\.dart_tool|coverage|htmlcov|[\w.-]+\.egg-info)$/u
/** So it is usually; some projects keep their sources there. */
const usual =
  /^(?:dist|build|_build|out|target|obj|tmp|\.tmp|\.cache|\.output|\.gradle|\.?venv|cmake-build-[\w-]+|storybook-static|playwright-report|test-results)$/u

/**
 * Whether what lies at an absolute path can be made again by tools: an agent may clear that away in a sandbox without a question. Nothing that git held when this was called can, and without git
 * names that are not unmistakable say nothing. Never rejects.
 */
export async function regenerablePaths(workFolder: string): Promise<(path: string) => boolean> {
  const root = resolve(workFolder)
  const listing = await askGit(root, ['ls-files', '-z'])
  const tracked = listing === undefined ? undefined : withFolders(listing.split('\0'))
  return (path) => {
    const relative = posix.relative(root, path)
    const parts = relative.split('/')
    if (relative === '' || parts[0] === '..') return false
    if (tracked === undefined) return parts.some((part) => unmistakable.test(part))
    return parts.some((part) => unmistakable.test(part) || usual.test(part)) && !tracked.has(relative)
  }
}

/** Every file, and every folder that one of them lies in. */
function withFolders(files: readonly string[]): ReadonlySet<string> {
  const all = new Set(files)
  for (const file of files)
    for (let folder = posix.dirname(file); folder !== '.' && !all.has(folder); folder = posix.dirname(folder))
      all.add(folder)
  return all
}
