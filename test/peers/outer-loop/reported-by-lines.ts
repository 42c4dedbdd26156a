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

/** Stories that hang on our loop alone, which is the same for all agents: one of them shows them. */
export function tellsTheStoriesOfTheLoop(agent: AgentUnderTest): void {
  neverMended(agent)
  brokenChecks(agent)
  rewrittenCheck(agent)
  endedByEqualCalls(agent)
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
  return [
    'run',
    '--output-format',
    'stream-json',
    '--agent',
    agent.line,
    ...checks,
    ...more,
    'Create done.txt',
  ]
}

/** The last line of `--output-format stream-json`. */
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

function neverMended(agent: AgentUnderTest): void {
  describeWith(agent.name, titleOf(agent, 'that never mends it, and ends every turn with success'), () => {
    it(
      'ends with an exit code and a reason of ours',
      async () => {
        await inPlaceOf(agent, [{ text: 'All works.' }], async (place) => {
          const ended = await place.donecheck(
            wordsFor(agent, undefined, '--max-turns', '2', '--no-final-summary'),
            patient,
          )
          expect(ended.exitCode, ended.output).toBe(3)
          expect(resultOf(ended)).toMatchObject({ outcome: 'exhausted', reason: 'hard_cap' })
          expect(place.server.turns).toHaveLength(2)
        })
      },
      timeoutMs,
    )
  })
}

const endlessAndNonsense = {
  'donecheck.config.json': JSON.stringify({
    until: [{ command: 'sleep 60', timeoutSeconds: 1 }],
    presets: ['tests'],
  }),
  'package.json': '{ "scripts": { "test": "echo ok ok 100% fine" } }\n',
}

function brokenChecks(agent: AgentUnderTest): void {
  describeWith(agent.name, titleOf(agent, 'that says it is done, and a check that can say nothing'), () => {
    it(
      'is never started where the program of the check is missing',
      async () => {
        await inPlaceOf(agent, [mends(agent.name), { text: 'All works.' }], async (place) => {
          const words = wordsFor(agent, ['--until', 'no-such-checker'], '--no-final-summary')
          const ended = await place.donecheck(words, patient)
          expect(ended.exitCode, ended.output).toBe(5)
          expect(resultOf(ended)).toMatchObject({ outcome: 'blocked', turns: 0 })
          expect(resultOf(ended)['message']).toContain('its program no-such-checker was not found')
          expect(place.server.turns).toHaveLength(0)
        })
      },
      timeoutMs,
    )

    it(
      'is blocked, and never verified, where one check does not end and one prints nonsense',
      async () => {
        const steps = [mends(agent.name), { text: 'All works.' }]
        await inPlaceOf(
          agent,
          steps,
          async (place) => {
            const words = wordsFor(agent, [], '--max-turns', '1', '--no-final-summary')
            const ended = await place.donecheck(words, patient)
            expect(ended.exitCode, ended.output).toBe(5)
            expect(resultOf(ended)).toMatchObject({ outcome: 'blocked', finalText: 'All works.' })
            expect(resultOf(ended)['message']).toContain('did not finish within 1 s')
          },
          { files: endlessAndNonsense },
        )
      },
      timeoutMs,
    )
  })
}

function rewrittenCheck(agent: AgentUnderTest): void {
  describeWith(agent.name, titleOf(agent, 'that rewrites the check instead of the work'), () => {
    it(
      'is not verified by it',
      async () => {
        const steps = [shellCall(agent.name, 'echo exit 0 > check.test.sh'), { text: 'All works.' }]
        await inPlaceOf(
          agent,
          steps,
          async (place) => {
            const checks = ['--until', 'sh check.test.sh']
            const words = wordsFor(agent, checks, '--max-turns', '1', '--no-final-summary')
            const ended = await place.donecheck(words, patient)
            expect(ended.exitCode, ended.output).not.toBe(0)
            expect(resultOf(ended)['outcome']).not.toBe('verified')
            expect(ended.stdout).toContain('check.test.sh')
          },
          { files: { 'check.test.sh': `${check}\n` } },
        )
      },
      timeoutMs,
    )
  })
}

function endedByEqualCalls(agent: AgentUnderTest): void {
  describeWith(agent.name, titleOf(agent, 'that makes the same call for ever'), () => {
    it(
      'is stopped in flight',
      async () => {
        await inPlaceOf(agent, [onlyReplies(39, works(agent.name))], async (place) => {
          const ended = await place.donecheck(wordsFor(agent, undefined, '--no-final-summary'), patient)
          expect(ended.exitCode, ended.output).toBe(3)
          expect(resultOf(ended)).toMatchObject({ outcome: 'exhausted', reason: 'loop_detected' })
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
          const words = ['--max-tokens', '400000', '--no-final-summary']
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
