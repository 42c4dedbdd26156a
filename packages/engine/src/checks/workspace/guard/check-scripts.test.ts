import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder, put } from '../fixtures/work-tree.ts'
import { filesSourcedBy } from './check-scripts.ts'

function sourced(files: Readonly<Record<string, string>>, script = 'check.sh'): readonly string[] {
  const folder = newFolder()
  put(folder, files)
  return filesSourcedBy(join(folder, script), folder).map((path) => path.replace(`${folder}/`, ''))
}

describe('given a script of a shell', () => {
  it.each([
    ['. ./lib.inc', ['lib.inc']],
    ['source lib.inc', ['lib.inc']],
    ['set -e; . "./lib.inc" && go', ['lib.inc']],
    ['if true; then . ./lib.inc; fi', ['lib.inc']],
    ['[ -f a ] || source ./lib.inc', ['lib.inc']],
    ['. /etc/lib.inc', ['/etc/lib.inc']],
    ['. "$(dirname "$0")/lib.inc"', ['lib.inc']],
    ['source "${BASH_SOURCE%/*}/lib.inc"', ['lib.inc']],
    ['. "$WHEREVER/lib.inc"', []],
    ['# . ./lib.inc', []],
    ['echo . ./lib.inc', []],
  ])('`%s` reads in %j', (text, expected) => {
    expect(sourced({ 'check.sh': `#!/bin/sh\n${text}\n` })).toEqual(expected)
  })

  it('looks beside the script as well', () => {
    const text = 'cd "$(dirname "$0")"\n. ./lib.inc\n'
    expect(sourced({ 'deep/check.sh': text, 'deep/lib.inc': '' }, 'deep/check.sh')).toEqual([
      'lib.inc',
      'deep/lib.inc',
    ])
  })

  it('follows what is read in, five times at most, and comes out of a circle', () => {
    const chain = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`${n}.sh`, `. ./${n + 1}.sh`]))
    expect(sourced(chain, '1.sh')).toEqual(['2.sh', '3.sh', '4.sh', '5.sh', '6.sh'])
    expect(sourced({ 'a.sh': '. ./b.sh', 'b.sh': '. ./a.sh' }, 'a.sh')).toEqual(['b.sh', 'a.sh'])
  })

  it('reads neither what is too long nor what is not there', () => {
    expect(sourced({ 'check.sh': `. ./lib.inc\n${'#'.repeat(65_536)}` })).toEqual([])
    expect(sourced({})).toEqual([])
  })
})
