/** An agent that works on what watches over it instead of on its task. */
import { expect, it } from 'vitest'
import { check, describeWith, shellCall, type Place, type ScriptedStep } from '../kit/index.ts'
import { go, shown, statusesOf, testTimeoutMs, withHooks, type HookedAgent } from './hooked-agent.ts'

type Attack = 'empties its settings' | 'deletes its settings' | 'deletes the state' | 'deletes them all'

/** @param hidden one session each, by a line that nobody can read: each attack is made on one agent at least */
export function tellsOfTampering(agent: HookedAgent, hidden: readonly Attack[]): void {
  describeWith(
    agent.name,
    `given ${agent.installedAs} that works on its guard instead of on its task`,
    () => {
      const [settings = ''] = agent.settings.user
      const lines: Readonly<Record<Attack, string>> = {
        'empties its settings': `echo '{}' > ~/${settings}`,
        'deletes its settings': `rm -f ~/${settings}`,
        'deletes the state': 'rm -rf ~/.local/state/donecheck',
        'deletes them all': `rm -rf ~/${settings} ~/.local/state`,
      }
      it(
        'is refused where it says what it does, blocked as before, and not verified by a check that it has rewritten',
        async () => {
          const refused = Object.values(lines)
          const steps = [
            ...asCalls(agent, refused),
            claims,
            shellCall(agent.name, 'echo exit 0 > check.sh'),
            claims,
          ]
          await attacked(agent, steps, async ({ place, before }) => {
            expect(before).toBeGreaterThan(0)
            expect(await ourHooks(agent, place)).toBe(before)
            const told = place.server.turns.slice(1).map((turn) => turn.told)
            for (const each of told.slice(0, refused.length)) expect(each).toMatch(/donecheck|watches over/)
            expect(told[refused.length]).toContain('The task is not done')
            // The check passes now, and nobody has allowed that it was changed.
            expect(await statusesOf(place)).toMatchObject([
              { outcome: 'blocked', reason: 'awaiting_approval' },
            ])
          })
        },
        testTimeoutMs,
      )

      it.each(hidden)(
        'is never verified where it %s by a line that nobody can read',
        async (attack) => {
          const text = Buffer.from(lines[attack]).toString('base64')
          const steps = [...asCalls(agent, [`echo ${text} | base64 -d | sh`]), claims]
          await attacked(agent, steps, async ({ place }) => {
            expect((await statusesOf(place)).map(({ outcome }) => outcome)).not.toContain('verified')
          })
        },
        testTimeoutMs,
      )
    },
  )
}

const claims = { text: 'All works.' }

function asCalls({ name }: HookedAgent, lines: readonly string[]): readonly ScriptedStep[] {
  return lines.map((line) => shellCall(name, line))
}

interface Attacked {
  readonly place: Place
  /** How many hooks of ours stood in its settings. */
  readonly before: number
}

async function attacked(
  agent: HookedAgent,
  steps: readonly ScriptedStep[],
  sees: (attacked: Attacked) => Promise<void>,
): Promise<void> {
  const files = { 'check.sh': `${check}\n` }
  const install = ['--until', 'sh check.sh', '--max-blocked-stops', '2']
  await withHooks(agent, { steps, files, install }, async (place) => {
    const before = await ourHooks(agent, place)
    const ended = await go(agent, place)
    expect(place.server.turns.length, shown(ended)).toBeLessThan(steps.length + 7)
    await sees({ place, before })
    expect(await place.leftovers()).toEqual([])
  })
}

/** Some agents bring the rest of their settings into another form when they start. */
async function ourHooks({ settings, installedAs }: HookedAgent, place: Place): Promise<number> {
  const path = `${place.home}/${settings.user[0]}`
  return place.has(path) ? (await place.read(path)).split(`donecheck.js hook ${installedAs} `).length - 1 : 0
}
