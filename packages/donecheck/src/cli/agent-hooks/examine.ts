/** What is missing from an installation, as far as it can be seen without running it. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram, type SettingsPlace } from '../../agents/index.ts'
import { donecheckVersion } from '../../version.ts'
import type { CliIo } from '../io.ts'
import type { FoundSettings, InstalledHooks } from './installed-hooks.ts'
import type { HookedAgent } from './known-agents.ts'
import { obstaclesIn } from './obstacles.ts'
import { ownProgram } from './own-program.ts'
import { changedEntries } from './wanted-hooks.ts'

export interface Examined {
  /** Any of them means that the agent may be let go unchecked. */
  readonly problems: readonly string[]
  /** Worth knowing. */
  readonly notes: readonly string[]
}

export async function examine(
  agent: HookedAgent,
  found: FoundSettings,
  place: SettingsPlace,
  io: CliIo,
): Promise<Examined> {
  const { protocol, program } = agent
  const isFound = (await findProgram(program, io.environment)) !== undefined
  const absent = isFound
    ? []
    : [`${protocol.title} is not installed here: there is no program ${program} on PATH`]
  // It is an editor too, which no PATH knows.
  const isEditor = protocol.agent === 'cursor'
  const [first, second] = found.installed
  return {
    problems: [
      ...(isEditor ? [] : absent),
      ...found.problems,
      ...(first === undefined ? [`no hook is installed: donecheck install ${protocol.agent}`] : []),
      ...found.installed.flatMap((one) => [
        ...missing(agent, one),
        ...changedEntries(agent, one),
        ...wrongPrograms(one),
      ]),
      ...(await obstaclesIn(
        agent,
        found,
        found.installed.map(({ scope }) => scope),
        place,
      )),
      ...(second === undefined
        ? []
        : [`the hooks stand in ${first?.file ?? ''} and in ${second.file}: everything is checked twice`]),
    ],
    notes: [...(isEditor ? absent : []), ...found.installed.flatMap((one) => neighbours(agent, one))],
  }
}

function missing({ protocol }: HookedAgent, { file, ours }: InstalledHooks): readonly string[] {
  const words = protocol.registrations.map(({ event, as }) => as ?? event)
  const standing = ours.map(({ ours: command }) => command.word)
  const gone = words.filter((word) => !standing.includes(word))
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
      const version = versionOf(program)
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

function versionOf(program: string): string {
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
