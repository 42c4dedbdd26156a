/** What is missing from an installation, as far as it can be seen without running it. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram } from '@donecheck/agents/registry'
import type { SettingsContext } from '@donecheck/agents/settings'
import { donecheckVersion } from '@donecheck/engine/base'
import type { CliIo } from '../../process/io.ts'
import type { InstalledSettings, InstalledHooks } from '../settings/installed-hooks.ts'
import type { HookedAgent } from '../../agents/agent-adapters.ts'
import { findObstacles } from './obstacles.ts'
import { ownProgram } from '../own-program.ts'
import { changedEntries } from '../settings/wanted-hooks.ts'

interface Examination {
  /** Any of them means that the agent may be allowed to stop unchecked. */
  readonly problems: readonly string[]
  /** Worth knowing. */
  readonly notes: readonly string[]
}

export async function examine(
  agent: HookedAgent,
  found: InstalledSettings,
  place: SettingsContext,
  io: CliIo,
): Promise<Examination> {
  const { protocol, program } = agent
  const path = await findProgram(program, io.environment)
  const absence = `${protocol.title} is not installed here: there is no program ${program} on PATH`
  const absent = path === undefined ? [absence] : []
  // It is an editor too, which no PATH knows.
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

/** Any of them can hold the agent, and end its turn. */
function neighbours({ protocol, settings }: HookedAgent, { others }: InstalledHooks): readonly string[] {
  const claims = protocol.registrations.filter(({ verifies }) => verifies === true).map(({ event }) => event)
  return others
    .filter(({ event }) => claims.includes(event))
    .map(
      ({ event, entry }) =>
        `another hook stands at ${event}: ${settings.commandIn(entry) ?? 'of another kind'}`,
    )
}
