/** The settings of an agent, with what others wrote into them: install, doctor, a real run, uninstall. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { check, describeWith, inPlace, mends, redProject, type Place } from '../kit/index.ts'
import { go, install, patient, shown, statusOf, testTimeoutMs, type HookedAgent } from './hooked-agent.ts'

/** What somebody else has put into the settings, in a form that nobody would choose. */
export interface Foreign {
  /** Below the home folder where it begins with `~/`, else below the project. */
  readonly file: string
  /** @param text what the agent has there already; empty: nothing */
  readonly write: (text: string, place: Place) => string
}

const scopes = ['user', 'project'] as const

export function tellsOfConfiguration(
  agent: HookedAgent,
  foreign: Readonly<Record<'user' | 'project', readonly Foreign[]>>,
): void {
  describeWith(agent.name, `given ${agent.installedAs} with settings of others`, () => {
    it.each(scopes)(
      'install, doctor, a real run and uninstall leave those of the %s as they were, to the byte',
      async (scope) => {
        const steps = [{ text: 'Ready.' }, { text: 'Done.' }, mends(agent.name), { text: 'Done, really.' }]
        const around = { agents: [agent.name], files: redProject, git: true, script: { steps } }
        await inPlace(around, async (place) => {
          for (const { file, write } of foreign[scope]) {
            const path = file.startsWith('~/') ? `${place.home}/${file.slice(2)}` : `${place.project}/${file}`
            await place.write(path, write(existsSync(path) ? await place.read(path) : '', place))
          }
          // Some bring settings into a form of their own when they run for the first time.
          await go(agent, place, 'Say that you are ready')
          const folder = scope === 'user' ? place.home : place.project
          const files = [
            ...agent.settings[scope].map((file) => `${folder}/${file}`),
            ...agent.settings.user.map((file) => `${place.home}/${file}`),
          ]
          const before = await contents(files)
          await install(agent, place, ['--until', check, '--scope', scope])
          expect(await contents(files)).not.toEqual(before)
          await isHealthy(agent, place)

          const ended = await go(agent, place)
          expect(ended.exitCode, shown(ended)).toBe(0)
          expect(await statusOf(place), shown(ended)).toMatchObject({ outcome: 'verified' })

          const uninstalled = await place.donecheck(['uninstall', agent.installedAs, '--yes'], patient)
          expect(uninstalled.exitCode, uninstalled.stderr).toBe(0)
          expect(await contents(files)).toEqual(before)
          expect(await place.leftovers()).toEqual([])
        })
      },
      testTimeoutMs,
    )

    it(
      'is let do as it likes when the hooks are gone again',
      async () => {
        const around = { agents: [agent.name], files: redProject, script: { steps: [{ text: 'Done.' }] } }
        await inPlace(around, async (place) => {
          await install(agent, place, ['--until', check])
          await install(agent, place, ['--until', check])
          await place.donecheck(['uninstall', agent.installedAs, '--yes'], patient)
          const ended = await go(agent, place)
          expect(ended.exitCode, shown(ended)).toBe(0)
          expect(JSON.stringify(place.server.turns.map(({ body }) => body))).not.toContain(check)
          expect(await statusOf(place)).toBeUndefined()
        })
      },
      testTimeoutMs,
    )
  })
}

async function isHealthy(agent: HookedAgent, place: Place): Promise<void> {
  const doctor = await place.donecheck(['doctor', agent.installedAs, '--json'], patient)
  expect(JSON.parse(doctor.stdout), shown(doctor)).toMatchObject([{ problems: [], isHealthy: true }])
}

/** Null: there is none. */
function contents(files: readonly string[]): Promise<readonly (string | null)[]> {
  return Promise.all(files.map(async (file) => (existsSync(file) ? readFile(file, 'utf8') : null)))
}
