/** When a green check is believed: by its exit code, and by its ability to fail. */
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson } from './donecheck.ts'

const manifest = (test: string) => JSON.stringify({ scripts: { test } })
const sum = 'module.exports = (a, b) => a + b\n'
const script = `if (require('./sum.js')(2, 3) !== 5) process.exit(1)\n`

describe('given tests whose counts no reader knows', () => {
  const project = { 'package.json': manifest('node test.js'), 'sum.js': sum, 'test.js': script }

  it('then the exit code decides, and whether they can fail is found out once', async () => {
    await inPlace(project, async (place) => {
      const first = await place.run(['verify'])
      expect(first.exitCode).toBe(0)
      expect(first.stdout + first.stderr).toContain('red in a copy with every source file made unreadable')
      await place.write('sum.js', sum.replace('+', '-'))
      expect((await place.run(['verify'])).exitCode).toBe(1)
    })
  })

  it('when they run nothing of the product, then they are refused, unless a user vouches for them', async () => {
    await inPlace({ ...project, 'test.js': 'console.log(1)\n' }, async (place) => {
      const refused = await place.run(['verify'])
      expect(refused.exitCode).toBe(5)
      expect(refused.stdout + refused.stderr).toContain('stays green with the whole product broken')
      expect((await place.run(['verify', '--trust-check', 'tests'])).exitCode).toBe(0)
    })
  })
})

describe('given a check that was red in an earlier run and reads nothing of the product', () => {
  it('then that run counts, but with --verdict-cache off', async () => {
    await inPlace({ 'sum.js': sum }, async (place) => {
      const words = ['verify', '--until', `test -e ${place.home}/ok`]
      expect((await place.run(words)).exitCode).toBe(1)
      await place.write('../home/ok', '')
      expect((await place.run(words)).exitCode).toBe(0)
      const afresh = await place.run([...words, '--verdict-cache', 'off'])
      expect(afresh.exitCode).toBe(5)
      expect(afresh.stdout + afresh.stderr).toContain('stays green with the whole product broken')
    })
  })
})

describe('given a project without tests', () => {
  const write = (text: string) => `printf %s ${JSON.stringify(text)} > sum.test.js; echo done`
  const real = `require('node:test')('adds', () => require('node:assert').equal(require('./sum.js')(2, 3), 5))`
  const words = ['run', '--max-turns', '2', '--agent']

  it('when a run writes them, then it is verified, and every report says that only new tests hold it', async () => {
    await inPlace({ 'package.json': manifest('node --test'), 'sum.js': sum }, async (place) => {
      const ended = await place.run([...words, write(real), 'Write tests for sum.'])
      expect(ended.exitCode).toBe(0)
      expect(ended.stdout + ended.stderr).toContain('only new tests hold tests')
      expect((await place.run(['receipt', 'last'])).stdout).toContain('only-new-tests')
    })
  })

  it('when they run nothing of the product, then they hold nothing', async () => {
    await inPlace({ 'package.json': manifest('node --test'), 'sum.js': sum }, async (place) => {
      const empty = write(`require('node:test')('adds', () => undefined)`)
      const ended = await place.run([...words, empty, '--json', 'Write tests for sum.'])
      expect(lastJson(ended)).not.toMatchObject({ outcome: 'verified' })
    })
  })
})
