/** The real Claude Code in the outer loop: what it books, what bounds it, and what of its words is no claim. */
import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import {
  check,
  describeWith,
  hanging,
  inPlace,
  linesOfType,
  mends,
  redProject,
  works,
  type Ended,
  type Place,
  type PlaceOptions,
  type ScriptedStep,
} from '../kit/index.ts'

const line = 'claude --model claude-sonnet-4-5'

function inPlaceOf<Value>(
  steps: readonly ScriptedStep[],
  work: (place: Place) => Promise<Value>,
  options: Partial<PlaceOptions> = {},
): Promise<Value> {
  return inPlace({ agents: ['claude'], git: true, files: redProject, script: { steps }, ...options }, work)
}

function words(...more: readonly string[]): readonly string[] {
  const agent = more.includes('--agent') ? [] : ['--agent', line]
  return ['run', '--events', ...agent, '--until', check, ...more, 'Create done.txt']
}

function resultOf({ stdout }: Ended): Readonly<Record<string, unknown>> {
  return linesOfType(stdout, 'result').at(-1) ?? {}
}

/** Under what names sessions were begun. */
function sessionsOf({ stdout }: Ended): readonly unknown[] {
  return linesOfType(stdout, 'agent-session-opened').map((event) => event['sessionId'])
}

const callsOfAllKinds: readonly ScriptedStep[] = [
  { tool: 'Read', args: { file_path: 'task.md' } },
  { tool: 'Glob', args: { pattern: '*.md' } },
  { tool: 'Grep', args: { pattern: 'x' } },
  { tool: 'Write', args: { file_path: 'a.txt', content: 'one\n' } },
  { tool: 'Edit', args: { file_path: 'a.txt', old_string: 'one', new_string: 'two' } },
  { tool: 'TodoWrite', args: { todos: [{ content: 'a', status: 'pending', activeForm: 'a' }] } },
  { tool: 'Bash', args: { command: 'cd / && exit 3', description: 'fails elsewhere' } },
  { tool: 'Bash', args: { command: 'node -e "1"', description: 'x', timeout: 5000 } },
]

describeWith('claude', 'given a run that goes well, with calls of all kinds', () => {
  it('says which agent it is, books every token and cent once, and knows each call again when it has run', async () => {
    const steps = [{ text: 'Done.' }, ...callsOfAllKinds, mends('claude'), { text: 'Done, really.' }]
    await inPlaceOf(steps, async (place) => {
      const ended = await place.donecheck(words('--yes'))
      expect(ended.exitCode, ended.output).toBe(0)
      const [started] = linesOfType(ended.stdout, 'run-started')
      expect(JSON.stringify(started)).toMatch(
        /Claude Code \d+\.\d+\.\d+ \(claude --model claude-sonnet-4-5\)/,
      )
      expect(place.server.turns).toHaveLength(steps.length)
      // Claude Code asks twice for the two commands that need a permission, and the second time counts as a call of the model.
      const usage = { modelCalls: steps.length + 2, totalTokens: steps.length * 1050, estimated: false }
      expect(resultOf(ended)).toMatchObject({ outcome: 'verified', turns: 2, usage })
      expect(resultOf(ended)['costUsd']).toBeCloseTo(steps.length * 0.00375, 6)
      expect(sessionsOf(ended)).toHaveLength(1)
      expect(ended.stdout).not.toMatch(/call_changed|call_ran_unasked|not-asked/)
      expect(await place.leftovers()).toEqual([])
    })
  })
})

describeWith('claude', 'given a cap in the middle of a turn', () => {
  it('on time, then a call that hangs ends with it', async () => {
    // It refuses a long `sleep` at once.
    const steps = [{ tool: 'Bash', args: { command: 'tail -f /dev/null' } }]
    await inPlaceOf(steps, async (place) => {
      const agent = `${line} --permission-mode bypassPermissions`
      const ended = await place.donecheck(words('--agent', agent, '--max-seconds', '15'))
      expect(ended.exitCode, ended.output).toBe(3)
      expect(resultOf(ended)).toMatchObject({ reason: 'hard_cap', cap: 'wall_clock' })
      expect(await place.leftovers()).toEqual([])
    })
  })
})

describeWith('claude', 'given what Claude Code itself calls a success', () => {
  it('is no claim where a hook has ended the turn, or it was blocked for the ninth time', async () => {
    const blocks = { type: 'command', command: `echo '{"decision":"block","reason":"go on"}'` }
    const settings = JSON.stringify({ hooks: { Stop: [{ hooks: [blocks] }] } })
    const files = { ...redProject, '.claude/settings.json': settings }
    await inPlaceOf(
      [{ text: 'Done.' }],
      async (place) => {
        const ended = await place.donecheck(words('--max-turns', '1', '--final-summary', 'off'))
        expect(ended.exitCode, ended.output).toBe(3)
        expect(ended.stdout).toContain('it ended without a last word')
        expect(place.server.turns).toHaveLength(9)
      },
      { files },
    )
  })
})

describeWith('claude', 'given an environment that does not work', () => {
  it('dies with a donecheck that is killed, and begins a new session where the old one is gone, with all that is known', async () => {
    const { step: hangs, isAsked } = hanging()
    await inPlaceOf([works('claude'), hangs, mends('claude'), { text: 'Done.' }], async (place) => {
      const running = place.startDonecheck(words())
      await isAsked
      running.kill('SIGKILL')
      await running.ended
      // An agent that nobody reads would go on to work beside the one that the resumed run starts.
      await expect.poll(() => place.leftovers()).toEqual([])
      await removeSessions(place)
      const ended = await place.donecheck(['resume', 'last', '--events'])
      expect(ended.exitCode, ended.output).toBe(0)
      expect(JSON.stringify(place.server.turns[2]?.body)).toContain('Create done.txt')
      expect(sessionsOf(ended)).toHaveLength(1)
    })
  })
})

async function removeSessions({ home }: Place): Promise<void> {
  await rm(`${home}/.claude/projects`, { recursive: true, force: true })
}
