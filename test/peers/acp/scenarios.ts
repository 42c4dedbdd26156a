/** What every agent of the protocol is put through, over the real donecheck. */
import { expect, it } from 'vitest'
import { check, describeWith, hanging, inPlace, mends, redProject, shellCall } from '../kit/index.ts'
import { leavesSettings } from '../outer-loop/settings.ts'
import type { AgentName, Call, Place, PlaceOptions, ScriptedStep } from '../kit/index.ts'

export interface Contender {
  readonly agent: AgentName
  /** As `--agent` takes it. */
  readonly line: string
  /** A call of its shell that the agent asks for before it runs it. */
  readonly asked: (line: string) => Call
  /** A plan of two entries, both of which it calls done. Absent: it tells none in the words of the protocol. */
  readonly plans?: Call
  /** More of its configuration. */
  readonly prepare?: (place: Place) => Promise<void>
  /** In the project. */
  readonly files?: Readonly<Record<string, string>>
  /** What its numbers are believed to say. */
  readonly usage: RegExp
  /** It may have lost its session, and then must have been told everything anew. */
  readonly mayForget?: true
}

const rule = `prefix_rule(pattern = ["touch"], decision = "forbidden", justification = "nobody touches anything")\n`

export function describeContender(contender: Contender): void {
  const { agent, line } = contender
  const run = (place: Place, words: readonly string[] = []) =>
    place.donecheck(['run', '--agent', line, '--until', check, '--approval', 'never', ...words, task])
  const placeOf = (steps: readonly ScriptedStep[]): PlaceOptions => ({
    agents: [agent],
    files: { ...redProject, ...contender.files },
    script: { steps: [played(steps)], sideSteps: [{ text: 'A title' }] },
  })

  const title = 'which asks for what our rules forbid, and says done while the check is red'
  describeWith(agent, `given ${line}, ${title}`, () => {
    it('does not run it and is told why, is kept from stopping with the evidence, ends verified, and has the settings of its user as before', async () => {
      const { plans } = contender
      const steps = [
        ...(plans === undefined ? [] : [plans]),
        ...[
          contender.asked('touch forbidden.txt'),
          { text: 'Done.' },
          mends(agent),
          { text: 'Done, really.' },
        ],
      ]
      await inPlace(placeOf(steps), async (place) => {
        await contender.prepare?.(place)
        await place.write(`${place.outside}/forbidden.rules`, rule)
        const words = ['--rules', `${place.outside}/forbidden.rules`]
        const ended = await leavesSettings(place, agent, () => run(place, words))
        expect(ended.exitCode, ended.output).toBe(0)
        expect(place.has('forbidden.txt')).toBe(false)
        const told = place.server.turns.map((turn) => turn.told)
        expect(told.some((text) => text.includes('nobody touches anything'))).toBe(true)
        expect(told.some((text) => text.includes(check))).toBe(true)
        expect(ended.output).toMatch(contender.usage)
        // A plan that is done is no claim, and no proof.
        if (plans !== undefined) expect(ended.output).toContain('plan of the agent: 2 of 2 done')
        expect(await place.leftovers()).toEqual([])
      })
    })
  })

  describeWith(agent, `given ${line}, and a donecheck that is killed in the middle of a turn`, () => {
    it('dies with it, and goes on with the same session', async () => {
      const { step: hangs, isAsked } = hanging()
      const steps = [shellCall(agent, 'echo before the crash'), hangs, mends(agent), { text: 'Done.' }]
      await inPlace(placeOf(steps), async (place) => {
        const words = ['run', '--agent', line, '--until', check, '--approval', 'never', task]
        const first = place.startDonecheck(words)
        await isAsked
        process.kill(first.pid, 'SIGKILL')
        const killed = await first.ended
        await expect.poll(() => place.leftovers()).toEqual([])
        const resumed = await place.donecheck(['resume', 'last'])
        expect(resumed.exitCode, resumed.output).toBe(0)
        const before = sessionIn(killed.stderr)
        const isSame = [undefined, before].includes(sessionIn(resumed.stderr))
        expect(isSame || contender.mayForget).toBe(true)
        const asked = place.server.turns.map(({ body }) => JSON.stringify(body)).at(-1)
        // What the first one had not recorded yet it cannot tell; that it was broken off it can.
        expect(asked).toMatch(
          isSame ? /before the crash/u : /You have worked on this task before|was interrupted/u,
        )
        expect(await place.leftovers()).toEqual([])
      })
    })
  })
}

const task = 'Create done.txt.'

function sessionIn(printed: string): string | undefined {
  return /session (\S+)/u.exec(printed)?.[1]
}

/** In their order, the last one again and again; Claude Code asks for a suggestion to its user in between, with all its tools. */
function played(steps: readonly ScriptedStep[]): ScriptedStep {
  let next = 0
  return (request) => {
    if (request.told.includes('ONLY the suggestion')) return { text: 'a suggestion' }
    const step = steps[Math.min(next, steps.length - 1)] ?? { text: 'Done.' }
    next += 1
    return typeof step === 'function' ? step(request) : step
  }
}
