import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scriptOf } from './items.ts'

describe('given a command as Codex quotes it', () => {
  it.each([
    ['/bin/bash -lc ls', 'ls'],
    [`/bin/bash -lc 'echo hi; exit 3'`, 'echo hi; exit 3'],
    [
      String.raw`/bin/bash -lc "echo \"it's\" "'$HOME > '"'a b'; cd sub"`,
      `echo "it's" $HOME > 'a b'; cd sub`,
    ],
    [String.raw`zsh -c two\ words`, 'two words'],
    [`sh -c 'first\nsecond'`, 'first\nsecond'],
  ])('finds the script of %s', (command, script) => {
    expect(scriptOf(command)).toBe(script)
  })

  it('reads any line at all', () => {
    const pieces = fc.constantFrom('bash', ' ', '-c', '"', "'", '\\', 'x', '$', '\n')
    fc.assert(
      fc.property(fc.array(pieces), (words) => {
        const script = scriptOf(words.join(''))
        expect(script === undefined || typeof script === 'string').toBe(true)
      }),
    )
  })
})
