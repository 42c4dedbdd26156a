/** How often git is started: every run and every check of an agent's stop waits for it. */
import { execFileSync } from 'node:child_process'
import { chmod, readFile } from 'node:fs/promises'
import { delimiter, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace } from './donecheck.ts'

describe('given a small repository', () => {
  it.each([
    [
      'a run of one turn',
      ['run', '--yes', '--agent', 'touch done.txt', '--until', 'test -f done.txt', 'go'],
      // Its clean room is laid before the first turn, for the claim, and once more without the changes.
      34,
    ],
    // The clean room is laid twice for a trial with a broken product.
    ['a verification', ['verify', '--until', 'test -f notes.txt'], 23],
  ])('%s starts git at most so often', async (_, words, most) => {
    await inPlace({ 'notes.txt': 'a\n' }, async (place) => {
      execFileSync('git', ['init', '--quiet'], { cwd: place.folder })
      const path = process.env['PATH'] ?? ''
      const git = join(place.home, 'bin/git')
      await place.write(
        relative(place.folder, git),
        `#!/bin/sh\necho "$*" >>'${place.home}/starts'\nPATH='${path}' exec git "$@"\n`,
      )
      await chmod(git, 0o755)
      const environment = { PATH: [join(place.home, 'bin'), path].join(delimiter) }
      expect(await place.run(words, { environment })).toMatchObject({ exitCode: 0 })
      const starts = (await readFile(join(place.home, 'starts'), 'utf8')).trimEnd().split('\n')
      expect(starts.length, starts.join('\n')).toBeLessThanOrEqual(most)
    })
  })
})
