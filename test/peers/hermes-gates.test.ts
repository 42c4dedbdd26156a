/**
 * Holes 5 to 8 in the stop gates of a rival, each as a test that it is not here: what theirs does, then ours. The first
 * four are in `hermes.test.ts`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, exitCodeOf, verifierOf, type Verifier } from 'donecheck'
import type { Guard } from '@donecheck/engine/ports/checks'
import type { Judge } from '@donecheck/engine/ports/judges'
import { fileExists, judgedBy } from '@donecheck/engine/verify'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson } from '../e2e/donecheck.ts'
import { red, sum, verifyOnce } from './sum-project.ts'
import { bareExitCode, inProject, latestOf, runAgent, shell, verdictsOf } from './trial.ts'

const content: Judge = {
  name: 'content judge',
  judge: async () => ({ kind: 'met', reason: 'all of it is there', quotes: [], score: 1, costUsd: 0.01 }),
}

describe('5. a file that was never written', () => {
  const claim = 'I have written report.md with all the results.'

  it.each([
    ['fileExists', fileExists('report.md', { name: 'report' })],
    ['a command', command('test -s report.md', { name: 'report' })],
  ])(
    'theirs: the judge believes the claim; ours: %s decides, and the judge is not even asked',
    async (_, check) => {
      await inProject({ 'a.txt': 'a\n' }, async (project) => {
        const judge = judgedBy(content, { rubric: 'the report is written' })
        const ran = await runAgent(project, {
          steps: [claim],
          hardVerifiers: [judge, check],
          hardCap: { iterations: 2 },
        })
        expect(ran).toMatchObject({ outcome: 'exhausted', exitCode: 3, finalText: claim })
        expect(latestOf(ran, 'report').status).toBe('failed')
        expect(latestOf(ran, 'content judge').status).toBe('skipped')
      })
    },
  )

  it('theirs: what a judge quotes is not looked up; ours: a quote that stands nowhere is an error', async () => {
    await inProject({ 'a.txt': 'a\n' }, async (project) => {
      const quoting: Judge = {
        name: 'judge',
        judge: async () => ({
          kind: 'met',
          reason: 'see',
          quotes: [{ text: 'All 12 tests pass' }],
          costUsd: 0,
        }),
      }
      const judge = judgedBy(quoting, { rubric: 'the report is written', quotesFrom: ['report.md'] })
      const ran = await runAgent(project, { steps: [claim], hardVerifiers: [judge] })
      expect(ran.outcome).toBe('blocked')
      expect(latestOf(ran, 'judge')).toMatchObject({ status: 'error' })
      expect(latestOf(ran, 'judge').reason).toContain('All 12 tests pass')
    })
  })
})

describe('6. gates that the agent can edit, or outlive', () => {
  const script = { 'sum.mjs': sum('-'), 'check.sh': '#!/bin/sh\nexec grep -q "a + b" sum.mjs\n' }

  it.each([
    ['the check script', script, 'sh check.sh', 'echo "exit 0" > check.sh'],
    ['the script in package.json', red, 'npm test', `sed -i 's/node --test/true/' package.json`],
    ['the test', red, 'node --test', `sed -i 's/sum(2, 3), 5/sum(2, 3), -1/' sum.test.mjs`],
  ])(
    'theirs: an agent that edits %s is done; ours: the earlier one is asked, too',
    async (_, files, line, edit) => {
      await inProject(files, async (project) => {
        const check = command(line, { name: 'check', tests: 'off' })
        const ran = await runAgent(project, {
          steps: [shell(edit), 'Done: it passes.'],
          hardVerifiers: [check],
        })
        expect(await bareExitCode(line, project.folder)).toBe(0)
        expect(ran).toMatchObject({ outcome: 'blocked', exitCode: 5 })
        expect(ran.transition.reason).toBe('awaiting_approval')
        expect(ran.transition.message).toContain(`donecheck approve ${ran.runId}`)
        const [, told, ...later] = verdictsOf(ran, 'check')
        expect(told).toMatchObject({ status: 'failed', qualifiers: ['tampered'] })
        expect(later.map(({ status }) => status)).toEqual(['pending'])
      })
    },
  )

  it('such an edit beside work that is done: the earlier check passes, so it is verified', async () => {
    await inProject(script, async (project) => {
      const steps = [shell(`echo 'grep -q sum sum.mjs' > check.sh; sed -i 's/-/+/' sum.mjs`), 'Done.']
      const ran = await runAgent(project, {
        steps,
        hardVerifiers: [command('sh check.sh', { name: 'check' })],
      })
      expect(ran).toMatchObject({ outcome: 'verified', exitCode: 0 })
      const text = 'green as well without the changes of check.sh'
      expect(latestOf(ran, 'check').evidence).toContainEqual({ kind: 'note', text })
    })
  })

  it('theirs: a gate that is too slow leaves its group behind; ours: nothing survives, not even what ignores SIGTERM', async () => {
    const slow = `trap '' TERM
echo $$ >> "$PIDS"
sh -c 'trap "" TERM; echo $$ >> "$PIDS"; while :; do sleep 1000; done' &
while :; do sleep 1000; done
`
    await inProject({ 'slow.sh': slow }, async (project) => {
      const pids = join(project.outside, 'pids.txt')
      const check = command('sh slow.sh', { name: 'slow', timeoutMs: 1500, environment: { PIDS: pids } })
      const result = await verifyOnce(project, check)
      expect(result.transition.outcome).toBe('blocked')
      const { status, evidence } = latestOf(result, 'slow')
      expect(status).toBe('error')
      expect(evidence).toContainEqual(expect.objectContaining({ kind: 'command', timedOut: true }))
      const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
      expect(started).toHaveLength(2)
      try {
        await expect.poll(() => started.filter(isRunning)).toEqual([])
      } finally {
        for (const processId of started.filter(isRunning)) process.kill(processId, 'SIGKILL')
      }
    })
  })
})

function isRunning(processId: number): boolean {
  return existsSync(`/proc/${processId}`) && !readFileSync(`/proc/${processId}/stat`, 'utf8').includes(') Z ')
}

describe('7. gates that open when they break', () => {
  const throws = verifierOf('throws', () => {
    throw new Error('the ledger is locked')
  })
  const rejects: Verifier = { ...throws, verify: () => Promise.reject(new Error('no answer at all')) }
  const throwingGuard: Guard = {
    description: {
      name: 'guard',
      required: true,
      weight: 0,
      deterministic: true,
      reads: 'workspace',
      role: 'guard',
    },
    prepare: () => Promise.reject(new Error('the snapshot is gone')),
  }

  it.each([
    ['a check that throws', 'exhausted', { hardVerifiers: [throws] }],
    ['a verifier that rejects', 'exhausted', { hardVerifiers: [rejects] }],
    ['a guard that throws', 'exhausted', { hardVerifiers: [command('test -d .')], guard: throwingGuard }],
    ['a script that is missing', 'exhausted', { hardVerifiers: [command('./no-such-script --all')] }],
  ] as const)(
    'theirs: %s means "no nudge"; ours: %s, after any number of claims',
    async (_, outcome, options) => {
      await inProject({ 'a.txt': 'a\n' }, async (project) => {
        // An edit gives hope and a claim follows, again and again.
        const steps = [1, 2, 3, 4].flatMap((round) => [shell(`echo ${round} > a.txt`), `Done, ${round}.`])
        const ran = await runAgent(project, { steps, hardCap: { iterations: 8 }, ...options })
        expect(ran).toMatchObject({ outcome, exitCode: exitCodeOf[outcome] })
        const claims = ran.events.filter(
          (event) => event.type === 'turn-ended' && event.feedback !== undefined,
        )
        expect(claims.length).toBeGreaterThan(2)
        const checks = ran.verdicts.filter(({ verifier }) => verifier !== 'tamper guard')
        expect(checks.map(({ status }) => status)).not.toContain('passed')
      })
    },
  )

  it('theirs: a command that is missing means "no nudge"; ours: blocked, before the first turn', async () => {
    await inProject({ 'a.txt': 'a\n' }, async (project) => {
      const hardVerifiers = [command('no-such-command --all', { name: 'missing' })]
      const ran = await runAgent(project, { steps: ['Done.'], hardVerifiers })
      expect(ran).toMatchObject({ outcome: 'blocked', exitCode: 5, usage: { modelCalls: 0 } })
      expect(verdictsOf(ran, 'missing').map(({ status }) => status)).toEqual(['error'])
      expect(ran.transition.message).toContain('no-such-command was not found')
    })
  })

  it('theirs: after two nudges the failing work is let through; ours: refused at the tenth claim as at the first', async () => {
    await inProject({ 'a.txt': 'a\n' }, async (project) => {
      const hardVerifiers = [command('grep -q b a.txt', { name: 'b' })]
      const steps = ['I am done.']
      const softVerifiers = { loopDetection: false } as const
      const options = { steps, hardVerifiers, softVerifiers, hardCap: { iterations: 10 } }
      const ran = await runAgent(project, options)
      expect(ran).toMatchObject({ outcome: 'exhausted', exitCode: 3, usage: { iterations: 10 } })
      const feedback = ran.events.filter(
        (event) => event.type === 'turn-ended' && event.feedback !== undefined,
      )
      expect(feedback.length).toBeGreaterThanOrEqual(9)
    })
  })

  it('theirs: a turn without an edit is never checked; ours: it is checked on its claim', async () => {
    await inProject({ 'a.txt': 'a\n' }, async (project) => {
      const hardVerifiers = [command('grep -q b a.txt', { name: 'b' })]
      const ran = await runAgent(project, {
        steps: ['I am done.'],
        hardVerifiers,
        hardCap: { iterations: 1 },
      })
      const triggers = ran.events.flatMap((event) =>
        event.type === 'verification-started' ? [event.trigger] : [],
      )
      expect(triggers).toEqual(['baseline', 'claim'])
      expect(ran.outcome).toBe('exhausted')
    })
  })
})

describe('8. ends that read like results', () => {
  const success = 'All 42 tests pass. The task is complete.'

  it('theirs: the summary at the cap reads like success; ours: exit code 3, and every line says why', async () => {
    await inPlace(red, async (place) => {
      const until = ['--until', "grep -q 'a + b' sum.mjs"]
      const words = ['run', ...until, '--agent', `echo '${success}'`, '--max-turns', '2']
      const ended = await place.run([...words, '--output-format', 'json', 'Mend it.'])
      expect(ended.exitCode).toBe(3)
      expect(lastJson(ended)).toMatchObject({
        type: 'result',
        outcome: 'exhausted',
        reason: 'hard_cap',
        cap: 'iterations',
        exitCode: 3,
        finalText: expect.stringContaining(success) as unknown,
      })
      expect((await place.run(['list'])).stdout).toContain('exhausted: turns')
    })
  })

  it.each([
    ['throws', () => Promise.reject(new Error('503 overloaded'))],
    [
      'abstains',
      async () => ({ kind: 'abstained', reason: 'no context', quotes: [], costUsd: null }) as const,
    ],
  ])('theirs: a judge that %s lets the text stand; ours: not verified', async (_, judge) => {
    const hardVerifiers = [judgedBy({ name: 'judge', judge }, { rubric: 'the task is complete' })]
    const ran = await runAgent(null, { steps: [success], hardVerifiers })
    expect(ran).toMatchObject({ outcome: 'blocked', exitCode: 5, finalText: success })
    expect(latestOf(ran, 'judge').status).toBe('error')
  })
})
