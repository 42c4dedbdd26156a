/**
 * What the real Codex does today (0.169.0) with hooks and goals, so that a release that does otherwise is noticed. No part of
 * donecheck runs here.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { atMost, describeWith, inPlace, linesOfType, works, type Step } from '../kit/index.ts'
import { blocks, runWithHook, T, type HookRan, type HookRun } from './hook-rows.ts'

const twice = (act: string): HookRun => ({ steps: [T], body: `[ $n -le 2 ] && { ${act}; }; exit 0` })
const stops = (body: string, rest: Partial<HookRun> = {}): HookRun => ({ steps: [T], body, ...rest })
const ended = { exitCode: 0, last: 'turn.completed' }
const blockedTwice = { modelCalls: 3, hooks: 3, ...ended }
const allowedStop = { modelCalls: 1, hooks: 1, ...ended }

interface Row {
  readonly title: string
  readonly run: HookRun
  readonly sees: Partial<HookRan>
}

const rows: readonly Row[] = [
  { title: 'a block in JSON twice: blocked twice', run: twice(blocks), sees: blockedTwice },
  {
    title: 'exit code 2 with words twice: blocked twice',
    run: twice('echo red >&2; exit 2'),
    sees: blockedTwice,
  },
  {
    // It ran 367 times in ten seconds when nobody stopped it; forty show as much.
    title: 'always blocked: there is no cap, so whoever started it has to end it',
    run: stops(blocks, { atMostCalls: 40 }),
    sees: { modelCalls: 41, hooks: 40, exitCode: null, last: 'item.completed' },
  },
  { title: 'exit code 1 fails open', run: stops('echo broken >&2; exit 1'), sees: allowedStop },
  { title: 'exit code 2 without words fails open', run: stops('exit 2'), sees: allowedStop },
  { title: 'plain text fails open', run: stops('echo nonsense'), sees: allowedStop },
  { title: 'broken JSON fails open', run: stops(`echo '{"decision":'`), sees: allowedStop },
  {
    title: 'a block with a key that it does not know fails open',
    run: stops(`echo '{"decision":"block","reason":"red","because":"it is"}'`),
    sees: allowedStop,
  },
  {
    title: 'a block without a reason fails open',
    run: stops(`echo '{"decision":"block"}'`),
    sees: allowedStop,
  },
  {
    title: 'a hook stopped by its time limit fails open',
    run: stops(`sleep 30; ${blocks}`, { timeoutSeconds: 1 }),
    sees: allowedStop,
  },
  {
    title: 'continue: false beats a block: the turn ends',
    run: stops(`echo '{"continue":false,"stopReason":"enough","decision":"block","reason":"red"}'`),
    sees: allowedStop,
  },
  {
    title: 'a hook that nobody trusts is passed over without a word',
    run: stops(blocks, { isTrusted: false }),
    sees: { ...allowedStop, hooks: 0 },
  },
  {
    title: 'a turn that fails has no stop hook',
    run: { steps: [{ status: 500 }], body: blocks },
    sees: { modelCalls: 1, hooks: 0, exitCode: 1, last: 'turn.failed' },
  },
]

describeWith('codex', 'given the real Codex', () => {
  describe('whose stop is guarded', () => {
    let runs: readonly Promise<HookRan>[] = []
    beforeAll(() => {
      runs = atMost(
        3,
        rows.map(
          ({ run }) =>
            () =>
              runWithHook(run),
        ),
      )
    })
    it.each(rows.map((row, index) => ({ ...row, index })))('$title', async ({ sees, index }) => {
      expect(await runs[index]).toMatchObject(sees)
    })

    it('tells the model the reason, escaped, and the hook that it was there before', async () => {
      const { told, payloads } = await (runs[0] ?? runWithHook(twice(blocks)))
      expect(told[1]).toMatch(/<hook_prompt hook_run_id="[^"]+">the check is &lt;red&gt;<\/hook_prompt>$/)
      const said = { hook_event_name: 'Stop', last_assistant_message: 'Done: everything works.' }
      expect(payloads).toMatchObject([
        { ...said, stop_hook_active: false },
        { ...said, stop_hook_active: true },
        { ...said, stop_hook_active: true },
      ])
    })
  })

  describe('whose tools are guarded', () => {
    const guarded = (body: string) => runWithHook({ steps: [works('codex'), T], event: 'PreToolUse', body })

    it('exit code 2 refuses the command, and the model is told why', async () => {
      const { told, payloads } = await guarded('echo "not here" >&2; exit 2')
      expect(told[1]).toBe('Command blocked by PreToolUse hook: not here. Command: echo working')
      expect(payloads).toMatchObject([{ tool_name: 'Bash', tool_input: { command: 'echo working' } }])
    })

    it('exit code 1 fails open: the command ran', async () => {
      const { told } = await guarded('exit 1')
      expect(told[1]).toContain('Process exited with code 0')
    })
  })

  describe('with a goal', () => {
    const steps: readonly Step[] = [
      { tool: 'create_goal', args: { objective: 'the tests pass' } },
      { tool: 'update_goal', args: { status: 'complete' } },
      { tool: 'get_goal', args: {} },
      T,
    ]

    it('the model completes it by its word alone', async () => {
      const { told, ...ran } = await runWithHook({ steps, body: 'exit 0' })
      expect(ran).toMatchObject({ modelCalls: 4, hooks: 1, ...ended })
      expect(told[3]).toContain('"status":"complete"')
    })

    it('a hook before the tool refuses that, and the goal stays active', async () => {
      const body = `case "$input" in *'"update_goal"'*) echo 'the check is red' >&2; exit 2;; esac`
      const { told, ...ran } = await runWithHook({ steps, event: 'PreToolUse', body })
      expect(ran).toMatchObject({ modelCalls: 4, hooks: 3, ...ended })
      expect(told[2]).toBe('Tool call blocked by PreToolUse hook: the check is red. Tool: update_goal')
      expect(told[3]).toContain('"status":"active"')
    })

    it('exec ends with its first turn and with 0, whatever the goal', async () => {
      const { told, ...ran } = await runWithHook({ steps: [...steps.slice(0, 1), T], body: 'exit 0' })
      expect(ran).toMatchObject({ modelCalls: 2, ...ended })
      expect(told[1]).toContain('"status":"active"')
    })
  })

  it('counts the usage of the whole thread, also after it was resumed', async () => {
    await inPlace({ agents: ['codex'], script: { steps: [T] } }, async (place) => {
      const first = await place.prompt('codex', 'fix')
      const thread = String(linesOfType(first.stdout, 'thread.started')[0]?.['thread_id'])
      const words = ['exec', 'resume', '--json', '--skip-git-repo-check', thread, 'done.txt is missing']
      const second = await place.agent('codex', words)
      const usage = [first, second].map(({ stdout }) => linesOfType(stdout, 'turn.completed')[0]?.['usage'])
      expect(usage).toMatchObject([
        { input_tokens: 1000, output_tokens: 50 },
        { input_tokens: 2000, output_tokens: 100 },
      ])
    })
  })
})
