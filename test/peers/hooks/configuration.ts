/** The settings of an agent, with what others wrote into them: install, doctor, a real run, uninstall. */
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import {
  check,
  describeWith,
  inPlace,
  mends,
  redProject,
  type Place,
  type ScriptedStep,
} from '../kit/index.ts'
import {
  go,
  install,
  listedOutcome,
  patient,
  read,
  shown,
  statusesOf,
  testTimeoutMs,
  type HookedAgent,
} from './hooked-agent.ts'

/** What somebody else has put into the settings, in a form that nobody would choose. */
export interface Foreign {
  /** Below the home folder where it begins with `~/`, else below the project. */
  readonly file: string
  /** @param text what the agent has there already; empty: nothing */
  readonly write: (text: string, place: Place) => string
}

const scopes = ['user', 'project'] as const
type Scope = (typeof scopes)[number]

export function tellsOfConfiguration(
  agent: HookedAgent,
  foreign: Readonly<Record<Scope, readonly Foreign[]>>,
): void {
  describeWith(agent.name, `given ${agent.installedAs} with settings of others`, () => {
    it(
      'install, doctor, a real run whose stop is blocked, and uninstall leave them as they were, to the byte, and the agent does as it likes without hooks',
      async () => {
        const step: ScriptedStep = ({ told }) =>
          told.includes(`$ ${check}`) ? mends(agent.name) : { text: 'Done already.' }
        const around = { agents: [agent.name], files: redProject, git: true, script: { steps: [step] } }
        await inPlace(around, async (place) => {
          for (const { file, write } of scopes.flatMap((scope) => foreign[scope])) {
            const path = file.startsWith('~/') ? `${place.home}/${file.slice(2)}` : `${place.project}/${file}`
            await place.write(path, write(existsSync(path) ? await place.read(path) : '', place))
          }
          await comeAndGo(agent, place)
          for (const scope of scopes) {
            await rm(`${place.project}/done.txt`, { force: true })
            await leavesSettings(agent, place, scope)
          }
        })
      },
      testTimeoutMs,
    )
  })
}

/** Installed twice and uninstalled, the agent is let do as it likes. */
async function comeAndGo(agent: HookedAgent, place: Place): Promise<void> {
  await install(agent, place, ['--until', check])
  await install(agent, place, ['--until', check])
  await uninstall(agent, place)
  const ended = await go(agent, place, 'Say that you are ready')
  expect(ended.exitCode, shown(ended)).toBe(0)
  expect(JSON.stringify(place.server.turns.map(({ body }) => body))).not.toContain(check)
  expect(await statusesOf(place)).toEqual([])
}

/** After a first run: some bring settings into a form of their own then. */
async function leavesSettings(agent: HookedAgent, place: Place, scope: Scope): Promise<void> {
  const folder = scope === 'user' ? place.home : place.project
  const files = [
    ...agent.settings[scope].map((file) => `${folder}/${file}`),
    ...agent.settings.user.map((file) => `${place.home}/${file}`),
  ]
  const before = await contents(files)
  const sessions = (await statusesOf(place)).map(({ session }) => session)
  await install(agent, place, ['--until', check, '--scope', scope])
  expect(await contents(files), scope).not.toEqual(before)
  await isHealthy(agent, place)

  await isBlockedUntilMended(agent, place)
  const added = (await statusesOf(place)).filter(({ session }) => !sessions.includes(session))
  expect(added, scope).toMatchObject([{ task: 'Create done.txt', outcome: 'verified' }])
  expect(await listedOutcome(place)).toEqual([...sessions, 'added'].map(() => 'verified'))

  await uninstall(agent, place)
  expect(await contents(files), scope).toEqual(before)
  expect(await place.leftovers()).toEqual([])
}

/** It says that it is done while the check is red: the evidence is in its very next request. */
async function isBlockedUntilMended(agent: HookedAgent, place: Place): Promise<void> {
  const { length } = place.server.turns
  const ended = await go(agent, place)
  expect(ended.exitCode, shown(ended)).toBe(0)
  const [first, second, third, ...others] = place.server.turns.slice(length)
  expect(first?.told).toContain('Create done.txt')
  expect(second?.told).toContain(`$ ${check}`)
  expect(second?.told).toContain('exit code 1')
  expect(JSON.stringify(second?.body)).toContain('Done already.')
  expect(third?.told).not.toContain('not done')
  expect(others).toEqual([])
  expect(place.has('done.txt')).toBe(true)
}

async function uninstall(agent: HookedAgent, place: Place): Promise<void> {
  await read(place, ['uninstall', agent.installedAs, '--yes'])
}

async function isHealthy(agent: HookedAgent, place: Place): Promise<void> {
  const doctor = await place.donecheck(['doctor', agent.installedAs, '--json'], patient)
  expect(JSON.parse(doctor.stdout), shown(doctor)).toMatchObject([{ problems: [], isHealthy: true }])
}

/** Null: there is none. */
function contents(files: readonly string[]): Promise<readonly (string | null)[]> {
  return Promise.all(files.map(async (file) => (existsSync(file) ? readFile(file, 'utf8') : null)))
}
