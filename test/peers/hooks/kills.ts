/** A kill -9 in the middle of everything, and then the same session again. */
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { check, describeWith, hanging, mends, works, type Place, type ScriptedStep } from '../kit/index.ts'
import { patient, shown, statusOf, testTimeoutMs, withHooks, type HookedAgent } from './hooked-agent.ts'

export function tellsOfKills(agent: HookedAgent): void {
  describeWith(agent.name, `given ${agent.installedAs} and a kill -9`, () => {
    it(
      'goes on in the same session where the agent was killed in the middle of its turn, and where donecheck was killed in the middle of a verification',
      async () => {
        const { step: hangs, isAsked } = hanging()
        const steps = [works(agent.name), hangs, { text: 'Done already.' }, ...blockedOnce(agent)]
        await withHooks(agent, { steps, install: ['--until', 'sh ../outside/check.sh'] }, async (place) => {
          const started = `${place.outside}/started`
          const hangsOnce = `[ -f ${started} ] || { touch ${started}; sleep 600; }\n${check}\n`
          await place.write(`${place.outside}/check.sh`, hangsOnce)

          const running = place.prompt(agent.name, 'Create done.txt', [], patient)
          await isAsked
          await killEverything(place)
          await running
          const first = await statusOf(place)
          expect(first).toMatchObject({ outcome: null, phase: 'calling' })
          const session = first?.session ?? ''

          const claiming = place.prompt(agent.name, 'Go on', agent.resume(session), patient)
          await expect.poll(() => existsSync(started), { timeout: 60_000 }).toBe(true)
          await killDonecheck(place)
          const ended = await claiming
          const second = await statusOf(place)
          // The agent takes it for a broken hook, and ends: some tell us so, and then it is known that nothing was verified.
          expect([null, 'interrupted'], shown(ended)).toContain(second?.outcome)
          // A check outlives who has started it.
          await killEverything(place)

          await goesOnAndEndsVerified(agent, place, session)
        })
      },
      testTimeoutMs,
    )
  })
}

function blockedOnce({ name }: HookedAgent): readonly ScriptedStep[] {
  return [{ text: 'Done.' }, mends(name), { text: 'Done, really.' }]
}

async function goesOnAndEndsVerified(agent: HookedAgent, place: Place, session: string): Promise<void> {
  const asked = place.server.turns.length
  const ended = await place.prompt(agent.name, 'Go on', agent.resume(session), patient)
  expect(ended.exitCode, shown(ended)).toBe(0)
  const [first, second, ...more] = place.server.turns.slice(asked)
  expect(JSON.stringify(first?.body)).toContain('Create done.txt')
  expect(second?.told).toContain('The task is not done')
  expect(more).toHaveLength(1)
  expect(await statusOf(place)).toMatchObject({ session, outcome: 'verified' })
  expect(await place.leftovers()).toEqual([])
}

async function killEverything(place: Place): Promise<void> {
  for (const { pid } of await place.leftovers()) kill(pid)
}

async function killDonecheck(place: Place): Promise<void> {
  for (const { pid, command } of await place.leftovers())
    if (/donecheck\S* hook /.test(command) && !command.startsWith('/bin/sh')) kill(pid)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}
