import { describe, expect, it } from 'vitest'
import { unwrapWords } from '../index.ts'

const unwrapped = (line: string) => unwrapWords(line.split(' ')).join(' ')

describe('given words with wrappers around a program', () => {
  it.each([
    ['vitest run', 'vitest run'],
    ['env CI=1 A=b vitest', 'vitest'],
    ['/usr/bin/env -u X timeout -k 1 60 nice -n 5 vitest run', 'vitest run'],
    ['npx -y -p x vitest', 'vitest'],
    ['npx.cmd vitest', 'vitest'],
    ['c8 vitest', 'vitest'],
    ['uv run vitest', 'vitest'],
    ['pnpm exec vitest', 'vitest'],
    ['pnpm --filter a exec vitest', 'pnpm --filter a exec vitest'],
    ['pnpm test', 'pnpm test'],
    ['command -v vitest', 'command -v vitest'],
    ['env', 'env'],
    ['timeout 60', 'timeout 60'],
  ])('reads %j', (line, expected) => expect(unwrapped(line)).toBe(expected))

  it('leaves those alone that take words for the program, change what it reports, or are not understood', () => {
    for (const line of ['sudo vitest', 'npm exec vitest', 'xargs vitest', 'nohup vitest', 'watch vitest'])
      expect(unwrapped(line)).toBe(line)
  })

  it('follows ten, and no more', () => {
    expect(unwrapped(`${'nice '.repeat(10)}vitest`)).toBe('vitest')
    expect(unwrapped(`${'nice '.repeat(11)}vitest`)).toBe('nice vitest')
  })
})
