import { describe, expect, it } from 'vitest'
import { foundCommand } from '../fixtures/found-command.ts'
import { isHarmless, isHarmlessWithAnyArguments } from './harmless-commands.ts'

describe('given a command', () => {
  it.each([
    'cat a b',
    'ls $x',
    '/bin/ls',
    '/usr/bin/head -5 a',
    'cd web',
    'find . -name x',
    'rg -n foo src',
    'sed -n 5p a',
    "sed -n '5,$p' a",
    'sort -u a',
    'uniq a',
    'uniq -c a',
    'base64 a',
    'date +%s',
    'command -v git',
    'set -euo pipefail',
    '[ -f a ]',
    'jq .a b.json',
    'xxd a',
  ])('%s only reads', (line) => expect(isHarmless(foundCommand(line))).toBe(true))

  it.each([
    'npm test',
    'git status',
    './cat a',
    '/tmp/cat a',
    '/usr/local/bin/cat a',
    '/bin/sub/cat a',
    'tee a',
    'find . -delete',
    'find . -exec rm x ;',
    'find . $x',
    'find . -fprint a',
    'rg --pre sh x',
    'rg --search-zip x',
    'rg -z x',
    'sed -i s/a/b/ a',
    'sed s/a/b/w a',
    "sed -n 's/a/b/e' a",
    'sed -n 5p a b',
    'sed -n 5p -i',
    'sort -o a b',
    'sort -uo a b',
    'sort --compress-program=sh a',
    'uniq a b',
    'uniq $x',
    'base64 -o a',
    'base64 --output=a b',
    'date -s x',
    'command git push',
    'fd x -x rm',
    'tree -o a',
    'xxd -r a b',
    'xxd a b',
    'env',
    'toString x',
    '$x',
  ])('of %s that is not known', (line) => expect(isHarmless(foundCommand(line))).toBe(false))

  it('reads whatever its arguments are, or only with some', () => {
    expect(isHarmlessWithAnyArguments(foundCommand('cat a'))).toBe(true)
    expect(isHarmlessWithAnyArguments(foundCommand('find .'))).toBe(false)
  })
})
