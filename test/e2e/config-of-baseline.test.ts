/** The rules by which work is judged, where the work itself could bring others. */
import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace, type Place } from './donecheck.ts'

const test = `import assert from 'node:assert/strict'
import { test } from 'node:test'
test('adds', () => assert.equal(1 + 1, 3))
`
const weak = test.replace('assert.equal(1 + 1, 3)', 'assert.ok(true)')
const rules = JSON.stringify({ until: ['node --test'] })
const ownRules = JSON.stringify({ until: ['node --test'], mayChange: ['**'] })
const project = { 'sum.test.mjs': test, 'donecheck.config.json': rules }

function commit({ folder }: Place): void {
  const git = ['-c', 'user.name=n', '-c', 'user.email=e@example.invalid']
  for (const words of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'one'],
  ])
    execFileSync('git', [...git, ...words], { cwd: folder, stdio: 'pipe' })
}

const compared = ['verify', '--baseline', 'HEAD']
const onlyWithTheChange = 'passes only with the changes of sum.test.mjs'

describe('given a git revision that the work is compared with', () => {
  it('when the configuration is the same, then its rules hold', async () => {
    await inPlace(project, async (place) => {
      commit(place)
      await place.write('sum.test.mjs', weak)
      const { exitCode, output } = await place.run(compared)
      expect(exitCode).toBe(5)
      expect(output).toContain(onlyWithTheChange)
      expect((await place.run([...compared, 'DONECHECK_ON_TAMPER=refuse'])).exitCode).toBe(1)
    })
  })

  it('when the configuration is another one, then it is not followed', async () => {
    await inPlace(project, async (place) => {
      commit(place)
      await place.write('sum.test.mjs', weak)
      await place.write('donecheck.config.json', ownRules)
      const { exitCode, output } = await place.run(compared)
      expect(exitCode).toBe(2)
      expect(output).toContain('donecheck.config.json differs from HEAD')
      const named = await place.run([...compared, '--config', './donecheck.config.json'])
      expect(named.exitCode).toBe(2)
      await rm(join(place.folder, 'donecheck.config.json'))
      const gone = await place.run([...compared, '--until', 'test -d .'])
      expect(gone.exitCode).toBe(2)
      expect(gone.stderr).toContain('donecheck.config.json is gone since HEAD')
    })
  })

  it('when the configuration itself names the revision, then the same holds', async () => {
    const named = (more: object) => JSON.stringify({ until: ['node --test'], baseline: 'HEAD', ...more })
    await inPlace({ ...project, 'donecheck.config.json': named({}) }, async (place) => {
      commit(place)
      await place.write('donecheck.config.json', named({ mayChange: ['**'] }))
      expect((await place.run(['verify'])).exitCode).toBe(2)
    })
  })

  it.each([
    ['a new one', 'donecheck.config.js', 'process.exit(0)'],
    ['what it imports', 'rules.mjs', 'process.exit(0)'],
  ])('when %s is a program, then it is never run', async (_, file, content) => {
    const config = `import rules from './rules.mjs'\nexport default rules\n`
    const files = {
      ...project,
      'donecheck.config.ts': config,
      'rules.mjs': "export default { until: ['false'] }",
    }
    await inPlace(files, async (place) => {
      commit(place)
      expect((await place.run(compared)).exitCode).toBe(1)
      await place.write(file, content)
      const { exitCode, output } = await place.run(compared)
      expect(exitCode).toBe(2)
      expect(output).toContain(`${file} `)
    })
  })
})

describe('given a recorded baseline', () => {
  it('when the configuration is another one since, then it is not followed', async () => {
    await inPlace(project, async (place) => {
      expect((await place.run(['verify', '--as-baseline'])).exitCode).toBe(0)
      await place.write('donecheck.config.json', ownRules)
      const { exitCode, output } = await place.run(['verify', '--baseline', 'last'])
      expect(exitCode).toBe(2)
      expect(output).toContain('donecheck.config.json differs from last')
      await place.write('donecheck.config.json', rules)
      expect((await place.run(['verify', '--baseline', 'last'])).exitCode).toBe(1)
    })
  })

  it('one that could not be looked at is not the latest', async () => {
    await inPlace({ 'sum.test.mjs': test }, async (place) => {
      const words = ['--until', 'node --test']
      expect((await place.run(['verify', '--as-baseline', ...words])).exitCode).toBe(0)
      await place.write('sum.test.mjs', weak)
      expect((await place.run(['verify', '--as-baseline', '--until', 'no-such-program-here'])).exitCode).toBe(
        5,
      )
      const { output, exitCode } = await place.run(['verify', ...words, '--baseline', 'last'])
      expect(output).toContain(onlyWithTheChange)
      expect(exitCode).toBe(5)
    })
  })
})

describe('given a configuration that is a program', () => {
  it.each([
    ['ends the process', 'process.exit(0)'],
    ['never comes to its own end', 'await new Promise(() => undefined)'],
  ])('when it %s, then that is no success, and it is said', async (_, content) => {
    await inPlace({ 'donecheck.config.js': content }, async (place) => {
      const { exitCode, output } = await place.start(['verify', '--until', 'test -d .']).ended
      expect(exitCode).toBe(70)
      expect(output).toContain('donecheck.config.js ended the process while it was read')
    })
  })
})
