import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../config/index.ts'
import { UsageError } from '@donecheck/engine/internal/base'
import {
  loadRules,
  parseRules,
  readRules,
  type LoadedRules,
  type PolicyRule,
  type RuleLayer,
  type RuleFileLocation,
} from '@donecheck/engine/gate'
import { userRulesFolder, type RulesContext, namedRules, problemLine } from './rules-folder.ts'

const projectRulesFolder = join('.donecheck', 'rules')

/** Read at the start: the agent may change them later. */
export async function projectRulesNow(
  { projectRules }: Config,
  workFolder: string,
): Promise<Readonly<Record<string, string>>> {
  const folder = join(workFolder, projectRulesFolder)
  if (projectRules === 'off' || !existsSync(folder)) return {}
  const files = await readdir(folder, { withFileTypes: true })
  const names = files.filter((file) => file.isFile() && file.name.endsWith('.rules')).map(({ name }) => name)
  const texts = names
    .toSorted()
    .map(
      async (name) => [join(projectRulesFolder, name), await readFile(join(folder, name), 'utf8')] as const,
    )
  return Object.fromEntries(await Promise.all(texts))
}

/** Read at the start: the agent may change them later. */
export async function rulesNow(
  { rules = [] }: Config,
  io: RulesContext,
): Promise<Readonly<Record<string, string>>> {
  const { files } = await loadOrThrow(namedRules(rules, io))
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)),
  )
}

/** @throws {UsageError} listing every invalid file: partial rules are not used */
export async function loadAllRules(config: Config, io: RulesContext): Promise<readonly PolicyRule[]> {
  const user = userRulesFolder(io)
  const { rules } = await loadOrThrow(existsSync(user) ? [{ layer: 'user', path: user }] : [])
  const ofRun = config.keptRules ?? (await rulesNow(config, io))
  return [
    ...rules,
    ...readAll(ofRun, 'run', rules),
    ...projectRulesOf(config, rules),
    ...configuredRules(config.commandRules, 'run'),
  ]
}

export async function rulesOfBeginning(
  config: Config,
  workFolder: string,
  io: RulesContext,
): Promise<readonly PolicyRule[]> {
  const keptRules = await rulesNow(config, io)
  return loadAllRules(
    { ...config, keptRules, keptProjectRules: await projectRulesNow(config, workFolder) },
    io,
  )
}

export async function namedRulesAlone(
  { rules = [] }: Config,
  io: RulesContext,
): Promise<readonly PolicyRule[]> {
  return (await loadOrThrow(namedRules(rules, io))).rules
}

async function loadOrThrow(
  places: readonly RuleFileLocation[],
): Promise<Extract<LoadedRules, { kind: 'rules' }>> {
  const found = await loadRules(places)
  if (found.kind === 'rules') return found
  throw new UsageError(found.problems.map(problemLine).join('\n'))
}

function readAll(
  texts: Readonly<Record<string, string>>,
  layer: RuleLayer,
  before: readonly PolicyRule[],
): readonly PolicyRule[] {
  const rules: PolicyRule[] = []
  for (const [file, text] of Object.entries(texts)) {
    const read = readRules(text, { file, layer, earlier: [...before, ...rules] })
    if (read.kind !== 'rules') throw new UsageError(`${read.file}:${read.line}: ${read.problem}`)
    rules.push(...read.rules)
  }
  return rules
}

function configuredRules(commandRules: Config['commandRules'] = [], layer: RuleLayer): readonly PolicyRule[] {
  const parsed = parseRules(commandRules, { layer })
  if (parsed.kind === 'rules') return parsed.rules
  throw new UsageError(parsed.problems.map((problem) => `commandRules: ${problem}`).join('\n'))
}

/** Project rules may forbid and ask; they allow only if the user trusts the project. */
function projectRulesOf(
  { keptProjectRules = {}, projectCommandRules, projectRules = 'tighten' }: Config,
  before: readonly PolicyRule[],
): readonly PolicyRule[] {
  if (projectRules === 'off') return []
  const rules = [
    ...readAll(keptProjectRules, 'project', before),
    ...configuredRules(projectCommandRules, 'project'),
  ]
  if (projectRules === 'trusted') return rules
  return rules.filter((rule) => rule.kind !== 'host-executable' && rule.decision !== 'allow')
}
