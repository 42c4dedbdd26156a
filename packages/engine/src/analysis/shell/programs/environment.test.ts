import { describe, expect, it } from 'vitest'
import { decompose } from '../index.ts'
import { obstaclesIn } from '../showing.test.ts'

describe('given a variable that is set', () => {
  it.each(['PATH=$PATH:x a', 'PATH="$PATH:/x" a', 'PATH=${PATH}:x a', 'export PATH=$PATH:x'])(
    'knows that names mean the same after %j',
    (line) => {
      expect(obstaclesIn(line).filter((kind) => kind === 'environment')).toEqual([])
    },
  )

  it.each([
    'PATH=x:$PATH a',
    "PATH='$PATH:x' a",
    "export 'PATH=$PATH:x'",
    "env 'PATH=$PATH:x' a",
    'PATH=$PATHX:x a',
    'PATH=\\$PATH:x a',
  ])('does not know it after %j', (line) => {
    expect(obstaclesIn(line)).toContain('environment')
  })

  it.each([
    ['FOO=1 a', 'FOO'],
    ['export FOO=1', 'FOO'],
    ['env FOO=1 a', 'FOO'],
    ['for FOO in a; do b; done', 'FOO'],
  ])('says which one in %j', (line, name) => {
    expect(decompose(line).obstacles).toMatchObject([{ kind: 'environment', subject: name }])
  })

  it.each([
    'GIT_EDITOR=true git rebase --continue',
    'git -c core.editor=: commit',
    'git -c core.pager=cat log',
  ])('passes over what runs nothing in %j', (line) => {
    expect(obstaclesIn(line)).toEqual([])
  })

  it.each(['GIT_EDITOR=x git commit', 'git -c core.editor=x commit', 'git -c core.pager="cat|x" log'])(
    'does not pass over %j',
    (line) => {
      expect(obstaclesIn(line)).not.toEqual([])
    },
  )
})
