/**
 * What the real Gemini CLI does today (0.61.0) with hooks, so that a release that does otherwise is noticed. No part of
 * donecheck runs here.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { atMost, describeWith, works, type HookScript, type Running } from '../kit/index.ts'
import { denies, runWithHook, T, type HookRan, type HookRun } from './hook-rows.ts'

const twice = (act: string) => `[ $n -le 2 ] && { ${act}; }; exit 0`
const success = { exitCode: 0, status: 'success' }
const allowedStop = { modelCalls: 1, hooks: 1, denials: 0, ...success }

/** It took 2,284 and most of a minute until the stack was full. Sixty, of which most asked no model, show as much. */
const sixty = (_: Running, gate: HookScript) =>
  expect.poll(() => gate.invocations()).toBeGreaterThanOrEqual(60)

interface Row {
  readonly title: string
  readonly run: HookRun
  readonly sees: Partial<HookRan>
}

const rows: readonly Row[] = [
  {
    title: 'denied in JSON twice after a call of a tool: blocked twice',
    run: { steps: [works('gemini'), T, T, T], body: twice(denies) },
    sees: { modelCalls: 4, hooks: 3, denials: 2, ...success },
  },
  {
    title: 'exit code 2 twice: blocked twice',
    run: { steps: [T], body: twice('echo red >&2; exit 2') },
    sees: { modelCalls: 3, hooks: 3, denials: 2, ...success },
  },
  {
    title: 'exit code 1 fails open',
    run: { steps: [T], body: 'echo broken >&2; exit 1' },
    sees: allowedStop,
  },
  { title: 'plain text fails open', run: { steps: [T], body: 'echo nonsense' }, sees: allowedStop },
  {
    title: 'a hook stopped by its time limit fails open',
    run: { steps: [T], body: 'exec sleep 30', timeoutMs: 1000 },
    sees: allowedStop,
  },
  {
    title: 'a hook over its time limit is waited for all the same while a child of it holds its output',
    run: { steps: [T], body: `(sleep 3; touch late); ${denies}`, timeoutMs: 1000 },
    sees: { ...allowedStop, hasLate: true },
  },
  {
    title: 'continue: false ends it as a success',
    run: { steps: [T], body: `echo '{"continue":false,"stopReason":"enough"}'` },
    sees: allowedStop,
  },
]

describeWith('gemini', 'given the real Gemini CLI whose end is guarded', () => {
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

  it('the reason is the next prompt, the words of all attempts pile up, and the hook is told that it was there', async () => {
    const { told, payloads } = await (runs[1] ?? runWithHook({ steps: [T] }))
    expect(told.slice(1)).toEqual(['red', 'red'])
    expect(payloads).toMatchObject([
      { hook_event_name: 'AfterAgent', prompt: 'fix', prompt_response: 'Done.', stop_hook_active: false },
      { prompt_response: 'Done.\nDone.', stop_hook_active: true },
      { prompt_response: 'Done.\nDone.\nDone.', stop_hook_active: true },
    ])
  })

  describe('by a hook that never allows the stop', () => {
    it('has no end: its loop detector says that it stops, and only the model is asked no more', async () => {
      const { hooks, loopsDetected, ...ran } = await runWithHook({ steps: [T], body: denies, until: sixty })
      expect(ran).toMatchObject({ modelCalls: 20, exitCode: null, status: undefined })
      expect(hooks).toBeGreaterThanOrEqual(60)
      expect(loopsDetected).toBeGreaterThan(30)
    })

    it('is not bounded by maxSessionTurns either: that bounds the calls of the model', async () => {
      const run = { steps: [T], body: denies, maxSessionTurns: 3, until: sixty }
      const { hooks, stdout, ...ran } = await runWithHook(run)
      expect(ran).toMatchObject({ modelCalls: 3, exitCode: null, status: undefined })
      expect(hooks).toBeGreaterThanOrEqual(60)
      expect(stdout).toContain('Maximum session turns exceeded')
    })

    it('a hook that is missing is such a one: 127 counts as a denial', async () => {
      const until = (running: Running) => running.shows('Loop detected')
      const { stdout, denials, ...ran } = await runWithHook({
        steps: [T],
        command: '/nowhere/gate.sh',
        until,
      })
      expect(ran).toMatchObject({ hooks: 0, exitCode: null, status: undefined })
      expect(denials).toBeGreaterThan(10)
      expect(stdout).toMatch(/Agent execution blocked: .*gate\.sh: No such file/)
    })
  })
})
