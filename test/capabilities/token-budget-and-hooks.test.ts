/** Who keeps an agent going and who stops it: a budget of output tokens, labels of every turn, Stop hooks, and the gate before a call. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inPlace, lastJson, type Ended, type Place } from '../e2e/donecheck.ts'
import { mends, shell, tell as tellGate, writes } from '../e2e/gate-run.ts'
import { calls, says } from '../e2e/model-server.ts'
import { tell, type Step, type Story } from '../e2e/soft-tier-run.ts'

/** A reply that claims to be done, and cost so many output tokens. */
function spending(content: string, completionTokens: number): Step {
  const usage = { prompt_tokens: 50, completion_tokens: completionTokens }
  return { response: { content, usage } }
}

const ended = z.object({ transition: z.looseObject({ kind: z.string(), reason: z.string() }) })

/** Why each turn was followed by another one, or by the end. */
const labelsOf = ({ lines }: Story) =>
  lines.flatMap((line) => (line.type === 'turn-ended' ? [ended.parse(line).transition.reason] : []))

describe('given --token-budget 10000', () => {
  const words = [
    '--token-budget',
    '10000',
    '--loop-detection',
    'off',
    '--stagnation',
    'off',
    '--final-summary',
    'off',
  ]

  it.each([
    [8900, ['nudge_budget_left', 'model_ended']],
    [9000, ['model_ended']],
  ])(
    'when the model stops after %i of them, then nine tenths decide whether it may',
    async (tokens, labels) => {
      const steps = [spending('That is the first part.', tokens)]
      const story = await tell({ steps, last: spending('That is all.', 1200), words, until: null })
      expect(labelsOf(story)).toEqual(labels)
      expect(story.result).toMatchObject({ reason: 'model_ended', outcome: 'unverified', exitCode: 4 })
      if (labels.length === 1) return
      expect(JSON.stringify(story.requests[1]?.messages)).toContain('89%')
      expect(story.shown).toContain('budget left (89 % of its 10,000 output tokens)')
    },
  )

  it('when the checks are red and three rounds bring less than 500 tokens each, then the run ends as diminishing', async () => {
    const story = await tell({ last: spending('Done.', 499), words: [...words, '--max-turns', '12'] })
    expect(story.result).toMatchObject({ reason: 'diminishing', outcome: 'exhausted', exitCode: 3, turns: 4 })
    expect(story.findings.at(-1)).toMatchObject({
      rule: 'token_budget',
      level: 'stop',
      numbers: { continuations: 3, diminishing: 1 },
    })
    expect(story.shown).toContain('→ exhausted after 4 turns: diminishing: ')
  })

  it('when each round brings 500, then nothing but its cap ends it', async () => {
    const story = await tell({ last: spending('Done.', 500), words: [...words, '--max-turns', '7'] })
    expect(story.result).toMatchObject({ reason: 'hard_cap', cap: 'iterations', turns: 7 })
  })

  it('when the work is done, then nobody is kept going', async () => {
    const steps = [calls('write_file', { path: 'report.txt', content: 'DONE\n' })]
    const story = await tell({ steps, last: spending('Done.', 20), words })
    expect(story.result).toMatchObject({ outcome: 'verified', exitCode: 0, turns: 1 })
  })

  it('when an agent program drives, which tells of no tokens, then it is refused', async () => {
    await inPlace({}, async (place) => {
      const line = ['run', '--until', 'false', '--agent', 'true', '--token-budget', '10000', 'Work.']
      const refused = await place.run(line)
      expect(refused.exitCode).toBe(2)
      expect(refused.stderr).toContain('tokenBudget')
    })
  })
})

describe('given a run of several turns', () => {
  it('then every turn has the label of why it was followed by another one, or of the end', async () => {
    const cutOff: Step = { response: { content: 'I begin with', finishReason: 'length' } }
    const looks = calls('list_files', { path: '.' })
    const steps = [
      looks,
      cutOff,
      says('All done!'),
      calls('write_file', { path: 'report.txt', content: 'DONE\n' }),
    ]
    const story = await tell({ steps, last: says('Done.') })
    expect(labelsOf(story)).toEqual([
      'tool_calls',
      'max_output_recovery',
      'verifier_feedback',
      'task_complete',
    ])
    expect(story.lines.find(({ type }) => type === 'run-stopped')).toMatchObject({
      transition: { kind: 'stop', reason: 'task_complete', outcome: 'verified' },
    })
  })
})

describe('given hooks of donecheck in Claude Code', () => {
  /** As Claude Code calls them. */
  function hook(place: Place, event: string, payload: object): Promise<Ended> {
    const common = { session_id: 'session-1', cwd: place.folder, hook_event_name: event }
    return place.run(['hook', 'claude-code', event], {
      stdin: JSON.stringify({ ...common, ...payload }),
      environment: { CLAUDE_CODE_SESSION_ATTENDED: '0' },
    })
  }
  const claims = { last_assistant_message: 'All done.', stop_hook_active: false }
  const installed = (work: (place: Place) => Promise<void>) =>
    inPlace({}, async (place) => {
      const words = ['--until', 'test -f done.txt', '--max-blocked-stops', '2', '--yes']
      expect((await place.run(['install', 'claude-code', ...words])).exitCode).toBe(0)
      await hook(place, 'UserPromptSubmit', { prompt: 'make it done' })
      await work(place)
    })

  it('then a red claim is blocked with the evidence, and a green one may stop and is on record as verified', () =>
    installed(async (place) => {
      const red = JSON.parse((await hook(place, 'Stop', claims)).stdout) as Record<string, unknown>
      expect(red['decision']).toBe('block')
      expect(red['reason']).toContain('test -f done.txt')
      expect((await place.run(['list', '--sessions'])).stdout).toContain('nothing is verified')
      await place.write('done.txt', 'done\n')
      expect((await hook(place, 'Stop', claims)).stdout).not.toContain('"block"')
      expect(lastJson(await place.run(['list', '--json']))).toMatchObject([
        { outcome: 'verified', task: 'make it done' },
      ])
    }))

  it('then an agent is not blocked for ever, and that is never a pass', () =>
    installed(async (place) => {
      const decisions: boolean[] = []
      for (const file of ['a', 'b', 'c']) {
        await place.write(file, file)
        decisions.push((await hook(place, 'Stop', claims)).stdout.includes('"block"'))
      }
      expect(decisions).toEqual([true, true, false])
      expect(lastJson(await place.run(['list', '--json']))).toMatchObject([{ outcome: 'exhausted' }])
    }))

  it('then what cannot be read holds the claim, and the gate refuses a call that would take the hooks away', () =>
    installed(async (place) => {
      const broken = await place.run(['hook', 'claude-code', 'Stop'], { stdin: 'no json' })
      expect(broken.stdout).toContain('"block"')
      const call = { tool_name: 'Write', tool_input: { file_path: '.claude/settings.json', content: '{}' } }
      expect((await hook(place, 'PreToolUse', { ...call, tool_use_id: 't-1' })).stdout).toContain('"deny"')
      const honest = { tool_name: 'Bash', tool_input: { command: 'touch done.txt' }, tool_use_id: 't-2' }
      expect((await hook(place, 'PreToolUse', honest)).stdout).not.toContain('"deny"')
    }))
})

describe('given hooks of the project around its own loop', () => {
  it('then one refuses a call before it runs, and one keeps the work from being called done', async () => {
    const guard = 'case "$(cat)" in *"rm -rf"*) echo "nothing is removed here" >&2; exit 2;; esac\n'
    const needsNotes = 'cat > /dev/null; test -e notes.md || { echo "write notes.md" >&2; exit 2; }\n'
    const files = {
      'guard.sh': guard,
      'needs-notes.sh': needsNotes,
      'donecheck.config.json': JSON.stringify({
        hooks: {
          before_tool_call: 'sh guard.sh',
          before_finalize: 'sh needs-notes.sh',
          run_ended: 'cat > ended.json',
        },
      }),
    }
    const steps = [shell('rm -rf src'), mends, writes('notes.md', 'mended\n')]
    const story = await tellGate({ steps, files, words: ['--sandbox', 'off', '--yes', '--trace'] })
    expect(story.statuses[0]?.refusal).toMatchObject({ by: 'hook', label: 'hook_denied' })
    expect(story.statuses[0]?.answer).toContain('nothing is removed here')
    expect(story.ended.stderr).toContain('before_tool_call: sh guard.sh: denied')
    expect(story.ended.stderr).toContain('write notes.md')
    expect(story.ended.stdout).toContain('→ verified after 3 turns')
    expect(story.ended.exitCode).toBe(0)
  })

  it('then a guard that crashes refuses, and a point that there is not begins nothing', async () => {
    const crashes = {
      'guard.sh': 'exit 1\n',
      'donecheck.config.json': '{"hooks":{"before_tool_call":"sh guard.sh"}}',
    }
    const { statuses } = await tellGate({ steps: [mends], files: crashes, words: ['--max-turns', '2'] })
    expect(statuses[0]?.refusal).toMatchObject({ by: 'hook' })
    await inPlace({ 'donecheck.config.json': '{"hooks":{"before_tool_cal":"true"}}' }, async (place) => {
      const misspelt = await place.run(['run', '--until', 'false', '--agent', 'true', 'x'])
      expect(misspelt.exitCode).toBe(2)
      expect(misspelt.stderr).toContain('did you mean "before_tool_call"?')
    })
  })
})
