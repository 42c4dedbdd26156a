/** `donecheck verify`, `baseline` and `receipt`: the checks without any agent. */
import { execFileSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, type Place } from './donecheck.ts'

const sum = 'export const sum = (a, b) => a + b\n'
const broken = 'export const sum = (a, b) => a - b\n'
const sumTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sum } from './sum.mjs'
test('adds', () => assert.equal(sum(2, 3), 5))
test('adds nothing', () => assert.equal(sum(0, 0), 0))
`
const manifest = JSON.stringify({ type: 'module', scripts: { test: 'node --test' } })
const good = { 'sum.mjs': sum, 'sum.test.mjs': sumTest, 'package.json': manifest }

function git({ folder }: Place, ...words: string[]): void {
  const identity = ['-c', 'user.name=n', '-c', 'user.email=e@example.invalid']
  execFileSync('git', [...identity, ...words], { cwd: folder, stdio: 'pipe' })
}

function commit(place: Place): void {
  git(place, 'init', '--quiet')
  git(place, 'add', '--all')
  git(place, 'commit', '--quiet', '--message', 'one')
}

describe('given checks', () => {
  it.each([
    ['a check that passes', ['--until', 'test -s sum.mjs'], 0, 'verified'],
    ['a check that fails', ['--until', 'false'], 1, 'failed'],
    ['a check whose program is missing', ['--until', 'no-such-program-here'], 5, 'blocked'],
    ['a check that cannot fail', ['--until', 'npm test || true'], 5, 'blocked'],
    ['a check that runs nothing of the product', ['--until', 'test -d .'], 5, 'blocked'],
    ['one that passes and one that fails', ['--until', 'test -d .', '--until', 'false'], 1, 'failed'],
  ])('when there is %s, then the exit code says so', async (_, words, exitCode, outcome) => {
    await inPlace(good, async (place) => {
      const ended = await place.run(['verify', ...words, '--json'])
      expect(ended.exitCode).toBe(exitCode)
      expect(lastJson(ended)).toMatchObject({ outcome, exitCode })
    })
  })

  it("when none is named, then the project's own tests decide, with their counts", async () => {
    await inPlace(good, async (place) => {
      const { stdout, stderr, exitCode } = await place.run(['verify'])
      expect(exitCode).toBe(0)
      expect(stderr).toContain("the project's own tests decide: npm test")
      expect(stderr).not.toMatch(/passed|verified/)
      expect(stdout).toMatch(/^ *✓ tests passed \(exit 0; 2 passed\)[^]*\n→ verified[^\n]*\n$/)
    })
  })

  it('when a test fails, then its name stands on the screen', async () => {
    await inPlace({ ...good, 'sum.mjs': broken }, async (place) => {
      const { stdout, exitCode } = await place.run(['verify', '--until', 'npm test'])
      expect(exitCode).toBe(1)
      expect(stdout).toContain('✗ adds')
    })
  })

  it('when no test is left, then a green exit code is not enough', async () => {
    await inPlace({ ...good, 'sum.test.mjs': '' }, async (place) => {
      await rm(join(place.folder, 'sum.test.mjs'))
      const { stdout, exitCode } = await place.run(['verify', '--until', 'node --test'])
      expect(exitCode).toBe(1)
      expect(stdout).toContain('no test was executed')
    })
  })

  it.each([
    [['--until', 'test -d .', '--workdir', 'nowhere'], 'nowhere'],
    [['--until', ''], 'empty'],
  ])('when it is asked wrongly with %j, then it says what is wrong and exits with 2', async (words, why) => {
    await inPlace(good, async (place) => {
      const { stderr, exitCode } = await place.run(['verify', ...words])
      expect(exitCode).toBe(2)
      expect(stderr).toContain(why)
    })
  })
})

describe('given reports for other programs', () => {
  it('then JUnit and the annotations tell of the failure', async () => {
    await inPlace({ ...good, 'sum.mjs': broken }, async (place) => {
      const words = ['ci', '--junit', 'out.xml', 'verify', '--until', 'npm test']
      const environment = { GITHUB_ACTIONS: 'true' }
      const { stdout, exitCode } = await place.run(words, { environment })
      expect(exitCode).toBe(1)
      expect(stdout).toMatch(/^::error/m)
      const xml: unknown = new XMLParser({ ignoreAttributes: false }).parse(
        await readFile(join(place.folder, 'out.xml'), 'utf8'),
      )
      expect(JSON.stringify(xml)).toContain('failure')
    })
  })
})

describe('given a git revision as baseline', () => {
  it('when a test was weakened since, then the earlier one is asked too, and nobody has allowed it', async () => {
    await inPlace({ ...good, 'sum.mjs': broken }, async (place) => {
      commit(place)
      await place.write('sum.test.mjs', sumTest.replace('assert.equal(sum(2, 3), 5)', 'assert.ok(true)'))
      const words = ['verify', '--until', 'node --test', '--baseline', 'HEAD']
      const { stdout, exitCode } = await place.run(words)
      expect(exitCode).toBe(5)
      expect(stdout).toContain('passes only with the changes of sum.test.mjs')
      expect(stdout).toContain('✗ adds (sum.test.mjs:4): Expected values to be strictly equal: -1 !== 5')
      expect(stdout).toContain('    sum.test.mjs: Its name makes it a test for a runner')
      expect(stdout).toContain('--may-change')
      expect((await place.run(['show', '--changes'])).stdout).toMatch(
        /^Check side\n {2}changed {2}sum\.test\.mjs {2}Its name makes it a test/m,
      )
      const refused = await place.run([...words, 'DONECHECK_ON_TAMPER=refuse'])
      expect(refused.exitCode).toBe(1)
      expect(refused.stdout).toContain('tampered]')
      const other = await place.run([...words, '--may-change', 'sum.mjs'])
      expect(other.exitCode).toBe(5)
      const allowed = await place.run([...words, '--may-change', 'sum.test.mjs'])
      expect(allowed.exitCode).toBe(0)
      expect(allowed.stdout).toContain('sum.test.mjs allowed by --may-change')
    })
  })

  it('when the bug was mended and tests were added, then it is verified', async () => {
    await inPlace({ ...good, 'sum.mjs': broken }, async (place) => {
      commit(place)
      await place.write('sum.mjs', sum)
      await place.write('sum.test.mjs', `${sumTest}test('more', () => assert.equal(sum(1, 1), 2))\n`)
      const { stdout, exitCode } = await place.run(['verify', '--until', 'node --test', '--baseline', 'HEAD'])
      expect(stdout).toContain('baseline: ')
      expect(exitCode).toBe(0)
    })
  })

  it('when the bug was mended and a test weakened, then it is verified by the earlier test, and that is said', async () => {
    await inPlace({ ...good, 'sum.mjs': broken }, async (place) => {
      commit(place)
      await place.write('sum.mjs', sum)
      await place.write('sum.test.mjs', sumTest.replace("test('adds'", "test.skip('adds'"))
      const words = ['verify', '--until', 'node --test', '--baseline', 'HEAD']
      const { stdout, exitCode } = await place.run(words)
      expect(stdout).toContain('green as well without the changes of sum.test.mjs')
      expect(exitCode).toBe(0)
      expect((await place.run([...words, 'DONECHECK_ON_TAMPER=refuse'])).exitCode).toBe(0)
      await place.write('sum.mjs', broken)
      expect((await place.run(words)).exitCode).toBe(5)
      expect((await place.run([...words, 'DONECHECK_ON_TAMPER=refuse'])).exitCode).toBe(1)
    })
  })

  it('when there is no such revision, then nothing is verified', async () => {
    await inPlace(good, async (place) => {
      commit(place)
      const words = ['verify', '--until', 'node --test', '--baseline', 'no-such-revision']
      const ended = await place.run(words)
      expect(ended.exitCode).toBe(2)
      expect(ended.stderr).toContain('no-such-revision')
    })
  })
})

describe('given a recorded baseline', () => {
  it('when a test is gone since, then the earlier one is asked all the same', async () => {
    await inPlace(good, async (place) => {
      const recorded = await place.run(['verify', '--as-baseline', '--until', 'node --test'])
      expect(recorded.exitCode).toBe(0)
      await place.write('sum.test.mjs', sumTest.replace(/test\('adds nothing.*\n/, ''))
      const { exitCode, stdout } = await place.run(['verify', '--until', 'node --test', '--baseline', 'last'])
      expect(stdout).toContain('sum.test.mjs')
      // The earlier file is checked instead, and the work stands up to it.
      expect(exitCode).toBe(0)
    })
  })

  it('when nothing has changed, then it is verified as it is', async () => {
    await inPlace(good, async (place) => {
      await place.run(['verify', '--as-baseline', '--until', 'node --test'])
      expect((await place.run(['verify', '--until', 'node --test', '--baseline', 'last'])).exitCode).toBe(0)
    })
  })

  it('a red baseline is a baseline', async () => {
    await inPlace({ ...good, 'sum.mjs': broken }, async (place) => {
      expect((await place.run(['verify', '--as-baseline', '--until', 'node --test'])).exitCode).toBe(0)
      const words = ['verify', '--until', 'node --test', '--baseline', 'last']
      expect((await place.run([...words, '--pre-existing', 'tolerate'])).exitCode).toBe(0)
      expect((await place.run(words)).exitCode).toBe(1)
    })
  })
})

describe('given a receipt', () => {
  it('of a run can be had later, and a file that is none is told so', async () => {
    await inPlace(good, async (place) => {
      await place.run(['verify', '--until', 'node --test'])
      const { stdout, exitCode } = await place.run(['receipt', 'last'])
      expect(exitCode).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ _type: 'https://in-toto.io/Statement/v1' })
      expect((await place.run(['receipt', 'verify', 'package.json'])).exitCode).toBe(1)
      expect((await place.run(['receipt', 'verify', 'nowhere.json'])).exitCode).toBe(2)
    })
  })
})

describe('given --watch', () => {
  it('then it checks again when the tree changes, and Ctrl-C ends it', async () => {
    await inPlace({ ...good, 'sum.mjs': broken }, async (place) => {
      const started = place.start(['verify', '--until', 'node --test', '--watch'])
      await started.shows('watching for changes')
      await place.write('sum.mjs', sum)
      await started.shows('→ verified')
      started.child.kill('SIGINT')
      expect((await started.ended).exitCode).toBe(0)
    })
  })
})

describe('given a waiver', () => {
  const config = (until: string) => ({
    ...good,
    'donecheck.config.json': JSON.stringify({
      until: ['test -s sum.mjs', { command: 'false', name: 'lint' }],
      waive: [{ check: 'lint', by: 'mia', until, reason: 'the rule is broken' }],
    }),
  })

  it('the check is left out, with words', async () => {
    await inPlace(config('2999-12-31'), async (place) => {
      const { stdout, exitCode } = await place.run(['verify'])
      expect(exitCode).toBe(0)
      expect(stdout).toContain('lint is waived by mia until 2999-12-31: the rule is broken')
    })
  })

  it('one that has expired is an error', async () => {
    await inPlace(config('2020-01-01'), async (place) => {
      const { stderr, exitCode } = await place.run(['verify'])
      expect(exitCode).toBe(2)
      expect(stderr).toContain('2020-01-01')
    })
  })
})
