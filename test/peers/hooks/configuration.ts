/**
 * The settings of an agent, with what others wrote into them, and what its word is worth under them: install, doctor, a real run,
 * uninstall. Each scope has a run of its own: one in which the work is never done, and one in which it is.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import {
  check,
  describeWith,
  inPlace,
  mends,
  redProject,
  shellCall,
  type Place,
  type ScriptedStep,
  type Step,
} from '../kit/index.ts'
import {
  go,
  install,
  listedOutcomes,
  patient,
  read,
  shown,
  statusOf,
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
      'install, doctor, real runs whose stop is blocked, and uninstall leave them as they were, to the byte, and the agent does as it likes without hooks',
      async () => {
        const ready: Step = { text: 'Ready.' }
        let playing: { readonly from: number; readonly steps: readonly Step[] } = { from: 0, steps: [ready] }
        const step: ScriptedStep = ({ turn }) => playing.steps[turn - playing.from] ?? ready
        const around = { agents: [agent.name], files: redProject, git: true, script: { steps: [step] } }
        await inPlace(around, async (place) => {
          for (const { file, write } of scopes.flatMap((scope) => foreign[scope])) {
            const path = file.startsWith('~/') ? `${place.home}/${file.slice(2)}` : `${place.project}/${file}`
            await place.write(path, write(existsSync(path) ? await place.read(path) : '', place))
          }
          await comeAndGo(agent, place)
          await leavesSettings(agent, place, 'user', async () => {
            playing = { from: place.server.turns.length, steps: neverDone(agent) }
            await isNeverVerified(agent, place)
          })
          await leavesSettings(agent, place, 'project', async () => {
            playing = { from: place.server.turns.length, steps: doneAtLast(agent) }
            await isBlockedUntilMended(agent, place)
          })
          expect(await listedOutcomes(place)).toEqual(['verified', 'exhausted'])
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
async function leavesSettings(
  agent: HookedAgent,
  place: Place,
  scope: Scope,
  run: () => Promise<void>,
): Promise<void> {
  const folder = scope === 'user' ? place.home : place.project
  const files = [
    ...agent.settings[scope].map((file) => `${folder}/${file}`),
    ...agent.settings.user.map((file) => `${place.home}/${file}`),
  ]
  const before = await contents(files)
  await install(agent, place, ['--until', check, '--scope', scope, '--max-blocked-stops', '3'])
  expect(await contents(files), scope).not.toEqual(before)
  await isHealthy(agent, place)

  await run()

  await uninstall(agent, place)
  expect(await contents(files), scope).toEqual(before)
  expect(await place.leftovers()).toEqual([])
}

/**
 * Two calls and four claims: three are blocked, two of them in a row. The bounds of the agents count blocks in a row, or none at
 * all: a call of a tool in between starts them anew.
 */
function neverDone({ name }: HookedAgent): readonly Step[] {
  const works = (file: string) => shellCall(name, `echo working > ${file}`)
  const claims = { text: 'All works.' }
  return [works('first.txt'), claims, works('second.txt'), claims, claims, claims]
}

/** A stop that was blocked as often as the agent was installed to is allowed, as what it is: its program ends with success. */
async function isNeverVerified(agent: HookedAgent, place: Place): Promise<void> {
  const { length } = place.server.turns
  const { exitCode, ...ended } = await go(agent, place)
  const isWell = agent.saysSuccess(ended.stdout)
  expect({ exitCode, isWell }, shown({ exitCode, ...ended })).toEqual({ exitCode: 0, isWell: true })
  expect(place.server.turns).toHaveLength(length + neverDone(agent).length)
  expect(place.has('second.txt')).toBe(true)
  expect(place.has('done.txt')).toBe(false)
  const status = await statusOf(place)
  expect(status).toMatchObject({ task: 'Create done.txt', outcome: 'exhausted', reason: 'hard_cap' })
  expect(status?.checks.find(({ name }) => name === check)?.status).toBe('failed')
  expect(await read(place, ['list', '--sessions'])).toContain('not verified')
}

function doneAtLast({ name }: HookedAgent): readonly Step[] {
  return [{ text: 'Done already.' }, mends(name), { text: 'Done, really.' }]
}

/** It says that it is done while the check is red: the evidence is in its very next request. */
async function isBlockedUntilMended(agent: HookedAgent, place: Place): Promise<void> {
  const { length } = place.server.turns
  const before = (await statusesOf(place)).map(({ session }) => session)
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
  const added = (await statusesOf(place)).filter(({ session }) => !before.includes(session))
  expect(added).toMatchObject([{ task: 'Create done.txt', outcome: 'verified' }])
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
