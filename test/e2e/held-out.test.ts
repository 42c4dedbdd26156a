/** Checks that an agent must not know. */
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson } from './donecheck.ts'

describe('given held-out checks', () => {
  it('when they stand in the project, then that is refused, with the ways out', async () => {
    const config = JSON.stringify({ until: ['test -d .'], heldOut: ['test -d .'] })
    await inPlace({ 'donecheck.config.json': config }, async (place) => {
      const { exitCode, output } = await place.run(['verify'])
      expect(exitCode).toBe(2)
      expect(output).toMatch(/heldOut cannot be set here.*--held-out or DONECHECK_HELD_OUT.*--config/)
      await place.write('../home/rules.json', config)
      await place.write('donecheck.config.json', '{}')
      expect((await place.run(['verify', '--config', join(place.home, 'rules.json')])).exitCode).toBe(0)
    })
  })

  it('how many of both passed stands at the end', async () => {
    await inPlace({}, async (place) => {
      const words = [
        'verify',
        '--until',
        'test -d .',
        '--held-out',
        'test -e no',
        '--held-out',
        'test ! -e no',
      ]
      const { output, exitCode } = await place.run(words)
      expect(exitCode).toBe(1)
      expect(output).toContain('held-out 1 of 2, shown 1 of 1')
      expect(lastJson(await place.run([...words, '--json']))).toMatchObject({
        heldOut: { shown: { passed: 1, total: 1 }, heldOut: { passed: 1, total: 2 }, gap: 0.5 },
      })
    })
  })

  const look = `import { readFileSync } from 'node:fs'
for (let id = process.ppid; id > 1; ) {
  if (readFileSync('/proc/' + id + '/cmdline', 'utf8').includes('quince')) process.exit(1)
  id = Number(readFileSync('/proc/' + id + '/stat', 'utf8').split(') ').at(-1).split(' ')[1])
}
`
  it.skipIf(process.platform !== 'linux')(
    'their lines are not in the list of processes (needs /proc)',
    async () => {
      await inPlace({ 'look.mjs': look }, async (place) => {
        const words = ['verify', '--until', 'node look.mjs', '--held-out', 'test ! -e quince']
        const { output, exitCode } = await place.run(words)
        expect(output).toContain('✓ node look.mjs')
        expect(exitCode).toBe(0)
      })
    },
  )
})

describe('given a receipt of a committed tree', () => {
  it('it names the commit and its tree, and they are compared', async () => {
    await inPlace({ 'a.txt': 'a' }, async (place) => {
      const git = (...words: string[]) =>
        execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.invalid', ...words], {
          cwd: place.folder,
          encoding: 'utf8',
        }).trim()
      git('init', '--quiet')
      git('add', '--all')
      git('commit', '--quiet', '--message', 'one')
      const file = join(place.home, 'receipt.json')
      await place.run(['verify', '--until', 'test -s a.txt', '--receipt', file])
      const subject = {
        subject: [
          { digest: { gitCommit: git('rev-parse', 'HEAD'), gitTree: git('rev-parse', 'HEAD^{tree}') } },
        ],
      }
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject(subject)
      expect(JSON.parse((await place.run(['receipt', 'last'])).stdout)).toMatchObject(subject)
      expect((await place.run(['receipt', 'verify', file])).exitCode).toBe(0)
      git('commit', '--quiet', '--allow-empty', '--message', 'two')
      const { stdout, exitCode } = await place.run(['receipt', 'verify', file])
      expect(exitCode).toBe(1)
      expect(stdout).toContain('gitCommit')
      await place.write('a.txt', 'b')
      await place.run(['verify', '--until', 'test -s a.txt'])
      expect((await place.run(['receipt', 'last'])).stdout).not.toContain('gitCommit')
    })
  })
})
