import { describe, expect, it } from 'vitest'
import { decompose } from '../index.ts'
import { commandsIn, obstaclesIn } from '../showing.test.ts'

const wanted = 'rm -rf x'

describe('given a shell that is started by the line', () => {
  it.each([
    `sh -c 'rm -rf x'`,
    `bash -c 'rm -rf x'`,
    `zsh -c 'rm -rf x'`,
    `dash -c 'rm -rf x'`,
    `ksh -c 'rm -rf x'`,
    `ash -c 'rm -rf x'`,
    `/bin/sh -c 'rm -rf x'`,
    `bash -lc 'rm -rf x'`,
    `bash -i -c 'rm -rf x'`,
    `bash -euo pipefail -c 'rm -rf x'`,
    `bash -o errexit -c 'rm -rf x' name`,
    `bash --rcfile y -c 'rm -rf x'`,
    `bash -O extglob -c 'rm -rf x'`,
    `bash +o history -c 'rm -rf x'`,
    `bash -c -- 'rm -rf x'`,
    'bash <<E\nrm -rf x\nE',
    `bash -s y <<< 'rm -rf x'`,
    `echo 'rm -rf x' | bash -s -- y`,
    `echo 'rm -rf x' | env bash -s y`,
    `compgen -W '$(rm -rf x)'`,
    `compgen -A file -W '\`rm -rf x\`' y`,
    'sudo bash <<E\nrm -rf x\nE',
    '{ bash; } <<E\nrm -rf x\nE',
    `echo 'rm -rf x' | sh`,
    `printf 'rm -rf %s\\n' x | sh`,
    'cat <<E | bash -s\nrm -rf x\nE',
    `echo 'rm -rf x' | cat | tee log | sh`,
    `(echo a; echo 'rm -rf x') | sh`,
    `source /dev/stdin <<< 'rm -rf x'`,
    `su root <<< 'rm -rf x'`,
    `ssh host <<< 'rm -rf x'`,
    `sh -c '"$@"' _ rm -rf x`,
    `sh -c '$0 $1 x' rm -rf`,
    `find . -exec sh -c 'rm -rf "$1"' _ x ';'`,
    `sh -c "rm -rf x $y"`,
    `bash $options -c 'rm -rf x'`,
    `fish -c 'rm -rf x'`,
  ])('finds what a shell is given in %j', (line) => {
    expect(commandsIn(line).some((command) => command.startsWith(wanted))).toBe(true)
  })

  it.each([`sh -c 'a'`, `bash -o pipefail -ec 'a'`, 'bash <<E\na\nE', `sh -s <<< 'a'`])(
    'knows all of %j',
    (line) => {
      expect(commandsIn(line)).toContain('a')
      expect(obstaclesIn(line)).toEqual([])
    },
  )

  it('leaves a script that is a file to itself', () => {
    expect(commandsIn('bash ./script.sh -c x')).toEqual(['bash ./script.sh -c x'])
    expect(obstaclesIn('bash ./script.sh')).toEqual([])
  })
})

describe('given a file that is read as commands', () => {
  const subjectsIn = (line: string) => decompose(line).obstacles.map(({ subject }) => subject)

  it.each([
    ['. ./env.sh', './env.sh'],
    ['source ~/.nvm/nvm.sh', '~/.nvm/nvm.sh'],
  ])('says which one in %j', (line, file) => {
    expect(subjectsIn(line)).toContain(file)
  })

  it.each([
    '. $file',
    '. /dev/stdin',
    '. /dev/./stdin',
    '. //proc/self/fd/0',
    '. /proc/12/task/1/fd/3',
    '. <(x)',
  ])('cannot say it in %j', (line) => {
    expect(subjectsIn(line)).not.toEqual([])
    expect(subjectsIn(line).every((subject) => subject === undefined)).toBe(true)
  })
})

describe('given a file that a shell reads before its text', () => {
  it.each(['bash --rcfile <(echo rm -rf x) -ic :', 'bash --init-file "$x" -i', 'bash --rcfile y.sh -ic :'])(
    'says that it is not known: %s',
    (line) => expect(obstaclesIn(line)).toContain('dynamic-script'),
  )
})
