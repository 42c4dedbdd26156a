import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram } from '@donecheck/engine/internal/system/process'
import type { SettingsContext, SettingsScope } from '@donecheck/agents/internal/protocol/settings'
import { donecheckVersion } from '@donecheck/engine/internal/base'
import type { CliIo } from '../../process/io.ts'
import type { Payload } from '@donecheck/agents/internal/protocol/host'
import {
  type InstalledSettings,
  type InstalledHooks,
  findInstalled,
  readAgentSettings,
  changedEntries,
} from '../settings/settings-file.ts'
import type { HookedAgent } from '../../agents/agents.ts'
import { ownProgram } from '../../process/own-modules.ts'

export async function examine(
  agent: HookedAgent,
  found: InstalledSettings,
  place: SettingsContext,
  io: CliIo,
) {
  const { protocol, program } = agent
  const path = findProgram(program, io.environment)
  const absence = `${protocol.title} is not installed here: there is no program ${program} on PATH`
  const absent = path === undefined ? [absence] : []
  // Cursor is also an editor, which is not on PATH.
  const isEditor = protocol.agent === 'cursor'
  const [first, second] = found.installed
  const scopes = found.installed.map(({ scope }) => scope)
  return {
    problems: [
      ...(isEditor ? [] : absent),
      ...found.problems,
      ...(first === undefined ? [`no hook is installed: donecheck install ${protocol.agent}`] : []),
      ...found.installed.flatMap((one) => [
        ...missingHooks(agent, one),
        ...changedEntries(agent, one),
        ...wrongPrograms(one),
      ]),
      ...(await findObstacles(agent, found, scopes, place)),
      ...(second === undefined
        ? []
        : [`the hooks stand in ${first?.file ?? ''} and in ${second.file}: everything is checked twice`]),
    ],
    notes: [...(isEditor ? absent : []), ...found.installed.flatMap((one) => neighbours(agent, one))],
  }
}

function missingHooks({ protocol }: HookedAgent, { file, ours }: InstalledHooks): readonly string[] {
  const words = protocol.registrations.map(({ event, as }) => as ?? event)
  const status = ours.map(({ ours: command }) => command.word)
  const gone = words.filter((word) => !status.includes(word))
  const misplaced = ours.filter(({ event, ours: command }) =>
    protocol.registrations.every((one) => one.event !== event || (one.as ?? one.event) !== command.word),
  )
  return [
    ...(gone.length === 0 ? [] : [`${file} has no hook for ${gone.join(', ')}: install it again`]),
    ...misplaced.map(
      ({ event, ours: command }) => `${file} has the hook of ${command.word} at ${event}: install it again`,
    ),
  ]
}

function wrongPrograms({ ours }: InstalledHooks): readonly string[] {
  const programs = [...new Set(ours.map(({ ours: command }) => command.program))]
  const nodes = [...new Set(ours.map(({ ours: command }) => command.node))]
  return [
    ...programs.flatMap((program) => {
      if (!existsSync(program)) return [`${program}, which the hooks run, is gone: install them again`]
      const version = readVersion(program)
      if (program === ownProgram() || version === donecheckVersion) return []
      return [
        `the hooks run donecheck ${version} (${program}); this is ${donecheckVersion}: install them again`,
      ]
    }),
    ...nodes.flatMap((node) =>
      existsSync(node) ? [] : [`${node}, with which the hooks run, is gone: install them again`],
    ),
  ]
}

function readVersion(program: string): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(dirname(program), '..', 'package.json'), 'utf8'))
    const version: unknown =
      typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : ''
    return typeof version === 'string' ? version : 'of an unknown version'
  } catch {
    return 'of an unknown version'
  }
}

function neighbours({ protocol, settings }: HookedAgent, { others }: InstalledHooks): readonly string[] {
  const claims = protocol.registrations.filter(({ verifies }) => verifies === true).map(({ event }) => event)
  return others
    .filter(({ event }) => claims.includes(event))
    .map(
      ({ event, entry }) =>
        `another hook stands at ${event}: ${settings.commandIn(entry) ?? 'of another kind'}`,
    )
}

export async function findObstaclesTo(
  agent: HookedAgent,
  scope: SettingsScope,
  place: SettingsContext,
): Promise<readonly string[]> {
  const said = await findObstacles(agent, await findInstalled(agent, place), [scope], place)
  return said.map((text) => `as things are, the hooks will not run: ${text}`)
}

async function findObstacles(
  { settings }: HookedAgent,
  found: InstalledSettings,
  scopes: readonly SettingsScope[],
  place: SettingsContext,
): Promise<readonly string[]> {
  const around = settings.obstacles([], place)
  const inFiles = found.settings.flatMap((one) =>
    settings
      .obstacles([one.settings], place)
      .filter((text) => !around.includes(text))
      .map((text) => `${one.file}: ${text}`),
  )
  const distrust = scopes.includes('project') ? await findDistrust(settings, found, place) : undefined
  return [...around, ...inFiles, ...(distrust === undefined ? [] : [distrust])]
}

async function findDistrust(
  { projectTrust, ...settings }: HookedAgent['settings'],
  found: InstalledSettings,
  place: SettingsContext,
): Promise<string | undefined> {
  if (projectTrust === undefined) return undefined
  const workFolder = realpathSync(place.workFolder)
  const trusted = await Promise.all(projectTrust.files(place).map((file) => readContent(file, settings)))
  const known = found.settings.map((one) => one.settings)
  return projectTrust.doubt(trusted, known, { ...place, workFolder })
}

/** Returns no settings if the file cannot be read, so that it trusts no folder. */
async function readContent(file: string, dialect: HookedAgent['settings']): Promise<Payload> {
  const read = await readAgentSettings(dialect, file)
  return read.kind === 'read' ? read.settings : {}
}
