/**
 * Holes 1 to 4 in the stop gates of a rival, each as a test that it is not here: what theirs does, then ours. The other
 * four are in `hermes-gates.test.ts`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { command, UsageError } from 'donecheck'
import { englishPrompts } from '@donecheck/core/prompts'
import { detectChecks, testsPass } from '@donecheck/engine/verify'
import { describe, expect, it } from 'vitest'
import { red, sum, verifyOnce } from './sum-project.ts'
import { bareExitCode, inProject, latestOf, runAgent, shell, verdictsOf, type Project } from './trial.ts'

/** What a shell finds under this name. */
const hasPytest = spawnSync('pytest', ['--version'], { stdio: 'ignore' }).status === 0
const green = { ...red, 'sum.mjs': sum('+') }

describe('1. exit codes that are masked', () => {
  // Where the report is cut off, or where there is no pytest, nothing is read of a failing test.
  const withReport = hasPytest ? 'failed' : 'error'
  const overFailing = [
    ['pytest || true', withReport],
    ['pytest; echo ok', withReport],
    ['pytest | tail', withReport],
    ['npm test || true', 'failed'],
    ['node --test; echo ok', 'failed'],
    ['npm test | tail', 'error'],
    ['node --test; exit 0', 'failed'],
  ] as const

  it.each(overFailing)(
    'theirs: "%s" is recorded as passed over a failing test; ours: %s, never verified',
    async (line, status) => {
      await inProject(red, async (project) => {
        const result = await verifyOnce(project, command(line, { name: 'tests' }))
        expect(result.transition.outcome).toBe(status === 'failed' ? 'failed' : 'blocked')
        expect(latestOf(result, 'tests').status).toBe(status)
      })
    },
  )

  const overGreen = ['npm test || true', 'node --test; echo ok', 'node --test; exit 0', 'node --test | tail']

  it.each(overGreen)(
    'theirs: "%s" is as good as any while nothing fails; ours: it is refused before the first turn',
    async (line) => {
      await inProject(green, async (project) => {
        const check = command(line, { name: 'tests' })
        const result = await verifyOnce(project, check)
        expect(result.transition.outcome).toBe('blocked')
        expect(latestOf(result, 'tests')).toMatchObject({ status: 'error', qualifiers: ['unverifiable'] })
        const running = runAgent(project, { steps: [shell('touch turn.txt')], hardVerifiers: [check] })
        const refusal: unknown = await running.catch((error: unknown) => error)
        expect(refusal).toBeInstanceOf(UsageError)
        expect(String(refusal)).toContain('--trust-check "tests"')
        expect(existsSync(join(project.folder, 'turn.txt'))).toBe(false)
      })
    },
  )

  it('a rival reads the exit code of such a line, and it is 0 over a failing test', async () => {
    await inProject(red, async ({ folder }) => {
      expect(await bareExitCode('node --test', folder)).not.toBe(0)
      const masks = [' || true', '; echo ok', ' | tail']
      const codes = await Promise.all(masks.map((mask) => bareExitCode(`node --test${mask}`, folder)))
      expect(codes).toEqual([0, 0, 0])
    })
  })

  it.each([
    ['named', () => command('npm test', { name: 'tests' })],
    ['detected', () => testsPass({ name: 'tests' })],
  ])(
    'theirs: a script that masks is as good as any; ours: its test report decides where it is %s',
    async (_, check) => {
      const masked = { 'package.json': '{"type": "module", "scripts": {"test": "node --test || true"}}' }
      await inProject({ ...green, ...masked }, async (project) => {
        const result = await verifyOnce(project, check())
        expect(result.transition.outcome).toBe('verified')
        expect(latestOf(result, 'tests')).toMatchObject({ status: 'passed' })
        await project.write('sum.mjs', red['sum.mjs'])
        const failing = await verifyOnce(project, check())
        expect(failing.transition.outcome).toBe('failed')
        expect(latestOf(failing, 'tests').reason).toContain('1 of 2 tests failed')
      })
    },
  )
})

describe('2. the last event only', () => {
  const twoFiles = {
    ...red,
    'other.test.mjs': `import { test } from 'node:test'\ntest('other', () => undefined)\n`,
    'style.txt': 'tabs\n',
    'lint.sh': 'grep -q spaces style.txt\n',
  }

  it.each([
    ['a passing lint after a failing test', 'tests', 'echo spaces > style.txt', 'sh lint.sh'],
    [
      'a passing test after a failing lint',
      'lint',
      'echo "export const sum = (a, b) => a + b" > sum.mjs',
      'node --test',
    ],
  ])('theirs: %s flips to passed; ours: what is red stays red', async (_, open, edit, run) => {
    await inProject(twoFiles, async (project) => {
      const hardVerifiers = [
        command('node --test', { name: 'tests' }),
        command('sh lint.sh', { name: 'lint' }),
      ]
      const steps = [shell(edit), shell(run), 'Done: it passes.']
      const ran = await runAgent(project, { steps, hardVerifiers, hardCap: { iterations: 3 } })
      const ended = ran.events.filter((event) => event.type === 'tool-returned')
      expect(ended.map(({ status }) => status)).toEqual(['ok', 'ok'])
      expect(ran).toMatchObject({ outcome: 'exhausted', exitCode: 3 })
      expect(latestOf(ran, open).status).toBe('failed')
    })
  })

  it('theirs: a targeted pass of the agent is as good as the suite; ours: nothing that it runs is a verdict', async () => {
    await inProject(twoFiles, async (project) => {
      const steps = [shell('node --test other.test.mjs'), 'Done: the tests pass.']
      const options = {
        hardVerifiers: [command('node --test', { name: 'tests' })],
        hardCap: { iterations: 2 },
      }
      const ran = await runAgent(project, { steps, ...options })
      const returned = ran.events.find((event) => event.type === 'tool-returned')
      expect(returned).toMatchObject({ status: 'ok' })
      expect(ran).toMatchObject({ outcome: 'exhausted', exitCode: 3 })
      const counts: unknown = expect.objectContaining({ passed: 2, failed: 1 })
      const { status, evidence } = latestOf(ran, 'tests')
      expect(status).toBe('failed')
      expect(evidence).toContainEqual(expect.objectContaining({ kind: 'tests', counts }))
    })
  })
})

describe('3. edits through the shell', () => {
  /** Each run of the check leaves a line outside of the project. */
  const counted = (project: Project) => ({
    check: command('sh check.sh', {
      name: 'value',
      environment: { RUNS: join(project.outside, 'runs.txt') },
    }),
    runs: async () => (await readFile(join(project.outside, 'runs.txt'), 'utf8')).trim().split('\n').length,
  })
  const files = {
    'value.txt': 'wrong\n',
    'check.sh': 'echo run >> "$RUNS"; grep -q right value.txt\n',
    'generate.mjs': `import { writeFileSync } from 'node:fs'\nwriteFileSync('value.txt', 'generated\\n')\n`,
  }

  it.each([
    ['sed -i', 'sed -i s/right/worse/ value.txt'],
    ['git checkout', 'git checkout -- value.txt'],
    ['a generator', 'node generate.mjs'],
    [
      'an edit that keeps size and time',
      'touch -r value.txt ../ref; printf wrong > value.txt; touch -r ../ref value.txt',
    ],
  ])(
    'theirs: the green verdict outlives %s; ours: it is stale, and the check runs again',
    async (_, edit) => {
      await inProject(files, async (project) => {
        const git = ['-c', 'user.name=n', '-c', 'user.email=e@example.invalid']
        for (const words of [
          ['init', '-q'],
          ['add', '-A'],
          [...git, 'commit', '-qm', 'one'],
        ])
          execFileSync('git', words, { cwd: project.folder })
        const { check, runs } = counted(project)
        const ran = await runAgent(project, {
          steps: [shell('printf right > value.txt'), shell(edit), 'Done: it was green.'],
          hardVerifiers: [check],
          completeWhen: 'checks-and-claim',
          hardCap: { iterations: 3 },
        })
        expect(verdictsOf(ran, 'value').map(({ status }) => status)).toEqual([
          'failed',
          'passed',
          'failed',
          'failed',
        ])
        expect(verdictsOf(ran, 'value')[2]?.qualifiers).not.toContain('cached')
        expect(ran).toMatchObject({ outcome: 'exhausted', exitCode: 3 })
        expect(await runs()).toBeGreaterThanOrEqual(3)
      })
    },
  )

  it('theirs: a time stamp decides; ours: a touch changes nothing, so the verdict is taken again without a run', async () => {
    await inProject(files, async (project) => {
      const { check, runs } = counted(project)
      const ran = await runAgent(project, {
        steps: [shell('echo right > value.txt'), shell('touch -d 2001-01-01 value.txt'), 'Done.'],
        hardVerifiers: [check],
        completeWhen: 'checks-and-claim',
        verifyWhen: 'every-turn',
      })
      const verdicts = verdictsOf(ran, 'value')
      expect(verdicts.map(({ status }) => status)).toEqual(['failed', 'passed', 'passed', 'passed'])
      expect(verdicts.map(({ qualifiers }) => qualifiers.includes('cached'))).toEqual([
        false,
        false,
        true,
        true,
      ])
      expect(await runs()).toBe(2)
      expect(ran).toMatchObject({ outcome: 'verified', exitCode: 0 })
    })
  })
})

const hasPytestModule = spawnSync('python3', ['-m', 'pytest', '--version'], { stdio: 'ignore' }).status === 0

describe('4. runs that nobody recognises', () => {
  it('theirs: an unknown command is invisible; ours: the check is run by us, whatever the agent ran', async () => {
    await inProject(
      { 'sum.mjs': sum('-'), 'bin/own-proof': '#!/bin/sh\nexec grep -q "a + b" sum.mjs\n' },
      async (project) => {
        const steps = [shell("sed -i 's/-/+/' sum.mjs")]
        const ran = await runAgent(project, {
          steps,
          hardVerifiers: [command('./bin/own-proof', { name: 'proof' })],
        })
        expect(ran).toMatchObject({ outcome: 'verified', exitCode: 0, usage: { iterations: 1 } })
        const [before, after] = verdictsOf(ran, 'proof')
        expect([before?.status, after?.status]).toEqual(['failed', 'passed'])
        expect(after?.evidence).toContainEqual(
          expect.objectContaining({ kind: 'command', command: './bin/own-proof', exitCode: 0 }),
        )
      },
    )
  })

  const python = {
    'pyproject.toml': '[project]\nname = "x"\nversion = "1"\n[tool.pytest.ini_options]\n',
    'test_sum.py': 'def test_sum():\n    assert 1 + 1 == 2\n',
    '.venv/bin/python': '#!/bin/sh\nexec python3 "$@"\n',
    '.venv/bin/pytest': '#!/bin/sh\nexec python3 -m pytest "$@"\n',
    '.venv/pyvenv.cfg': 'home = /usr/bin\n',
  }

  it('theirs: .venv/bin/pytest is not recognised; ours: it is detected', async () => {
    await inProject(python, async ({ folder }) => {
      expect((await detectChecks(folder)).tests).toMatchObject({
        kind: 'found',
        command: expect.stringContaining('.venv/bin/pytest') as unknown,
      })
    })
  })

  it.skipIf(!hasPytestModule)('and its tests are counted (skipped where there is no pytest)', async () => {
    await inProject(python, async (project) => {
      const result = await verifyOnce(project, testsPass({ name: 'tests' }))
      expect(result.transition.outcome).toBe('verified')
      const counts: unknown = expect.objectContaining({ passed: 1, total: 1 })
      expect(latestOf(result, 'tests').evidence).toContainEqual(
        expect.objectContaining({ kind: 'tests', counts }),
      )
    })
  })

  it('theirs: the agent is told to write throw-away scripts; ours: no word of it, in no situation', async () => {
    await inProject(red, async (project) => {
      const hardVerifiers = [testsPass({ name: 'tests' }), command('./no-such-check', { name: 'missing' })]
      const ran = await runAgent(project, { steps: ['Done.'], hardVerifiers })
      const prompts = englishPrompts
      const told = [
        ran.told,
        prompts.checksPass(),
        prompts.nothingProven(),
        prompts.notDone(),
        prompts.replyCutOff(),
        prompts.turnInterrupted(),
        prompts.toolOutcomeUnknown('run_shell'),
        prompts.heldOutFailed({ open: 1, total: 2 }),
      ].join('\n')
      expect(told).toContain('checks decide that')
      expect(told).not.toMatch(/throw-?away|ad-?hoc|temporary script|write (?:a|your own) (?:script|check)/i)
    })
  })
})
