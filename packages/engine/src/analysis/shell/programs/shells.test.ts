import { describe, expect, it } from 'vitest'
import { decompose } from '../index.ts'
import { commandsIn, obstaclesIn } from '../showing.test.ts'

describe('given a shell that is started by the line', () => {
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
