import { describe, expect, it } from 'vitest'
import { obstaclesIn } from '../showing.test.ts'

describe('given what changes the programs of git', () => {
  it.each(['git --exec-path=/tmp/x status', 'git --config-env=alias.x=Y x', 'git --config-env alias.x=Y x'])(
    'does not know what %j would run',
    (line) => {
      expect(obstaclesIn(line)).toContain('environment')
    },
  )

  it.each([
    'git --exec-path',
    'git --no-pager log',
    'tar -czf a.tgz b',
    'tar xzf a.tgz -C b',
    'rsync -a a b',
    'sort -u a',
    'tar -I zstd -xf a',
    'man -P cat ls',
  ])('knows all of %j', (line) => {
    expect(obstaclesIn(line)).toEqual([])
  })
})
