import { describe, expect, it } from 'vitest'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { Evidence } from '@donecheck/core/internal/events/verdicts'
import { createAgentLoop } from '../../loop/compose/index.ts'
import { scriptedAgent, type ScriptedStep } from '../../loop/agents/index.ts'
import { verifierOf } from '../../checks/verify/index.ts'
import { memoryStore } from '../../system/store/index.ts'
import { distil } from './distil.ts'

const failedTests: Evidence = {
  kind: 'tests',
  format: 'junit',
  counts: { total: 2, passed: 1, failed: 1, errored: 0, skipped: 0 },
  failed: [{ name: 'login keeps the session', message: 'the cookie was gone' }],
  skipped: [],
}

/** A run without a folder; its check passes from the given answer on. */
async function runOf(
  answers: readonly ScriptedStep[],
  wanted: string,
  task = 'mend the login of the shop',
  evidence: readonly Evidence[] = [failedTests],
) {
  const store = memoryStore()
  const loop = createAgentLoop({
    agent: scriptedAgent(answers, { repeatLast: true }),
    store,
    hardVerifiers: [
      {
        ...verifierOf('npm test', () => false, { reads: 'answer' }),
        verify: ({ finalText: answer }) =>
          Promise.resolve({
            status: answer === wanted ? 'passed' : 'failed',
            reason: `expected ${wanted}, got ${answer}`,
            canRetry: true,
            qualifiers: [],
            evidence,
          }),
      },
    ],
    hardCap: { iterations: 4 },
  })
  const { runId } = await loop.run(task)
  return store.read(runId)
}

const byKind = (events: readonly RunEvent[]) =>
  Object.fromEntries((distil(events)?.lessons ?? []).map((lesson) => [lesson.kind, lesson]))

describe('given a run that was verified at the second try', () => {
  it('teaches what failed first and when it passed, and how the run went', async () => {
    const events = await runOf(['wrong', 'right'], 'right')
    const { mended, run } = byKind(events)
    expect(mended?.text).toContain(
      'check "npm test" failed: expected right, got wrong (login keeps the session: the cookie was gone)',
    )
    expect(mended).toMatchObject({ isVerified: true })
    expect(mended?.shape).not.toBeNull()
    expect(run?.text).toContain('"mend the login of the shop" ended verified (task_complete) after 2 turns')
    expect(run?.text).toContain('checks: npm test')
  })
})

describe('given a run that never came to an end', () => {
  it('teaches where it got stuck, and takes that back once the same task is verified', async () => {
    const stuck = distil(await runOf(['wrong'], 'right'))
    expect(stuck?.outcome).not.toBe('verified')
    const key = stuck?.lessons.find(({ kind }) => kind === 'stuck')?.key
    expect(key).toBeDefined()
    expect(distil(await runOf(['right'], 'right'))?.refuted).toEqual([key])
  })

  it('teaches nothing where it was interrupted or has not ended', async () => {
    const events = await runOf(['wrong', 'right'], 'right')
    expect(distil(events.slice(0, -1))).toBeUndefined()
    expect(distil([])).toBeUndefined()
  })
})

describe('given the run of an agent program, which edits without our tools', () => {
  it('names the files that differ from the baseline tree, and what the tests reported', async () => {
    const events = await runOf(['wrong', 'right'], 'right')
    const { mended, run } = Object.fromEntries(
      (distil(events, ['src/login.js'])?.lessons ?? []).map((lesson) => [lesson.kind, lesson]),
    )
    expect(mended?.text).toContain('after changes to src/login.js')
    expect(mended?.text).toContain('login keeps the session: the cookie was gone')
    expect(run?.text).toContain('files that mattered: src/login.js')
  })
})

describe('given a run that reached its turn limit', () => {
  it('teaches what still failed, and never that a limit was reached', async () => {
    const { stuck } = byKind(await runOf(['wrong'], 'right'))
    expect(stuck?.text).toContain('got stuck: check "npm test" failed: expected right, got wrong')
    expect(stuck?.text).not.toMatch(/limit|iterations|turns/)
  })

  it('quotes the end of the output where no test is named', async () => {
    const output = {
      head: 'cc -c a.c\nmain.c:7: unknown type name',
      tail: '',
      totalBytes: 40,
      omittedBytes: 0,
      digest: '',
    }
    const command = {
      ...({
        kind: 'command',
        command: 'make',
        folder: '.',
        exitCode: 2,
        signal: null,
        timedOut: false,
      } as const),
      ...{ output, environmentDigest: '' },
    }
    const { stuck } = byKind(await runOf(['wrong'], 'right', 'build it', [command]))
    expect(stuck?.text).toContain('(cc -c a.c | main.c:7: unknown type name)')
  })
})
