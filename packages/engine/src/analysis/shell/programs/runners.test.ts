import { describe, expect, it } from 'vitest'
import { commandsIn, obstaclesIn } from '../showing.test.ts'

describe('given a program that runs another one behind words of its own', () => {
  it.each([
    'git-push -f',
    '/usr/lib/git-core/git-push -f',
    'gdb -q --args git push -f',
    'nix develop -c git push -f',
    'valgrind --leak-check=full git push -f',
    'perf stat -e x git push -f',
    'dbus-launch git push -f',
    'screen -dm git push -f',
    'ls | entr -r git push -f',
    'chpst -u me git push -f',
    'cpulimit -l 50 -- git push -f',
    'daemonize git push -f',
    'faketime yesterday git push -f',
    'watchexec -w src git push -f',
    "nodemon --exec 'git push -f'",
    'gosu me git push -f',
    'direnv exec . git push -f',
    'op run --env-file=.env -- git push -f',
    "rsync -ave 'git push -f' a b:",
    "rsync --rsh='git push -f' a b:",
    "scp -S 'git push -f' a b:",
    "tar -I 'git push -f' -cf a b",
    "tar cf a b --checkpoint=1 --checkpoint-action=exec='git push -f'",
    "tar xf a --to-command='git push -f'",
    "sort --compress-program='git push -f' a",
    "split --filter='git push -f' a",
    "man -P 'git push -f' ls",
    "zip a b -T -TT 'git push -f'",
    'numactl -C 0 git push -f',
  ])('finds it in %j', (line) => {
    expect(commandsIn(line)).toContain('git push -f')
  })
})

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
