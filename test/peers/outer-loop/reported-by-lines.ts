/** What an agent that is run once a turn, and tells of it in lines of JSON, must show. */
import { expect, it } from 'vitest'
import {
  check,
  describeWith,
  hanging,
  inPlace,
  linesOfType,
  mends,
  onlyReplies,
  redProject,
  shellCall,
  works,
  type AgentName,
  type Ended,
  type Place,
  type PlaceOptions,
  type ScriptedStep,
} from '../kit/index.ts'
import { leavesSettings } from './settings.ts'

export interface AgentUnderTest {
  readonly name: AgentName
  /** As `--agent` takes it: every tool allowed. */
  readonly line: string
}

const sideSteps = [{ text: 'A title' }]
const titleOf = (agent: AgentUnderTest, story: string) => `given ${agent.name} ${story}`

/** An agent may need five seconds of a processor to start, and a run starts it several times. */
const patient = { patienceMs: 170_000 }
const timeoutMs = 180_000

/** Stories that each agent must show by itself: they hang on its words, its session and its process. */
export function tellsTheStoriesOf(agent: AgentUnderTest): void {
  killedAndBlocked(agent)
  endedByTokens(agent)
}

function inPlaceOf<Value>(
  agent: AgentUnderTest,
  steps: readonly ScriptedStep[],
  work: (place: Place) => Promise<Value>,
  options: Partial<PlaceOptions> = {},
): Promise<Value> {
  const files = { ...redProject, ...options.files }
  return inPlace({ agents: [agent.name], git: true, script: { steps, sideSteps }, ...options, files }, work)
}

function wordsFor(
  agent: AgentUnderTest,
  checks: readonly string[] = ['--until', check],
  ...more: readonly string[]
): readonly string[] {
  return ['run', '--events', '--agent', agent.line, ...checks, ...more, 'Create done.txt']
}

/** The last line of `--events`. */
function resultOf(ended: Ended): Readonly<Record<string, unknown>> {
  return linesOfType(ended.stdout, 'result').at(-1) ?? {}
}

/** One session, for each start of an agent takes seconds: four turns, of which the first two are broken off. */
function killedAndBlocked(agent: AgentUnderTest): void {
  const title =
    'that is killed in its turn, then with donecheck, and then says it is done while the check is red'
  describeWith(agent.name, titleOf(agent, title), () => {
    it(
      'goes on in the same session, blocks its stop with the evidence, ends verified, and has the settings of its user as before',
      async () => {
        const [inFirstTurn, inSecondTurn] = [hanging(), hanging()]
        const afterwards = [{ text: 'Done already.' }, mends(agent.name), { text: 'Done, really.' }]
        const steps = [works(agent.name), inFirstTurn.step, inSecondTurn.step, ...afterwards]
        await inPlaceOf(agent, steps, async (place) => {
          const ended = await leavesSettings(place, agent.name, async () => {
            const running = place.startDonecheck(wordsFor(agent), patient)
            await inFirstTurn.isAsked
            await running.shows('tool-returned')
            await killAgentOf(agent, place)
            await inSecondTurn.isAsked
            await running.shows('SIGKILL')
            expect(historyOf(place)).toContain('echo working')
            running.kill('SIGKILL')
            await running.ended
            await killAgentOf(agent, place)
            return place.donecheck(['resume', 'last'], patient)
          })
          expect(ended.exitCode, ended.output).toBe(0)
          const [first, , second, third, fourth, ...others] = place.server.turns
          expect(first?.told).toContain('Create done.txt')
          for (const turn of [second, third]) expect(JSON.stringify(turn?.body)).toContain('echo working')
          expect(fourth?.told).toContain(`$ ${check}`)
          expect(fourth?.told).toContain('exit code 1')
          expect(JSON.stringify(fourth?.body)).toContain('Done already.')
          expect(others).toHaveLength(1)
          expect(await place.leftovers()).toEqual([])
        })
      },
      timeoutMs,
    )
  })
}

function endedByTokens(agent: AgentUnderTest): void {
  describeWith(agent.name, titleOf(agent, 'that never ends its turn'), () => {
    it(
      'is ended in flight by a cap on tokens',
      async () => {
        const step: ScriptedStep = ({ turn }) => ({
          ...shellCall(agent.name, `echo ${turn}`),
          usage: { inputTokens: 100_000 },
        })
        await inPlaceOf(agent, [onlyReplies(6, step)], async (place) => {
          const words = ['--max-tokens', '400000', '--final-summary', 'off']
          const ended = await place.donecheck(wordsFor(agent, undefined, ...words), patient)
          expect(ended.exitCode, ended.output).toBe(3)
          expect(resultOf(ended)).toMatchObject({ reason: 'hard_cap', cap: 'tokens' })
          expect(await place.leftovers()).toEqual([])
        })
      },
      timeoutMs,
    )
  })
}

async function killAgentOf(agent: AgentUnderTest, place: Place): Promise<void> {
  for (const { pid, command } of await place.leftovers())
    if (command.includes(agent.name) && !command.includes('donecheck.js')) process.kill(pid, 'SIGKILL')
}

/** What the agent's last process has sent. */
function historyOf({ server }: Place): string {
  return JSON.stringify(server.turns.at(-1)?.body)
}
