import { describe, expect, it } from 'vitest'
import { unwrapWords } from '../index.ts'

const names = new Set(['env', 'timeout', 'nice', 'npx', 'pnpm', 'command', 'watch', 'xargs'])
const unwrapped = (line: string) => {
  const { words, variables } = unwrapWords(line.split(' '), names)
  return [words.join(' '), ...variables]
}

describe('given words with wrappers around a program', () => {
  it.each([
    ['vitest run', ['vitest run']],
    ['env CI=1 A=b vitest', ['vitest', 'CI=1', 'A=b']],
    ['/usr/bin/env -u X timeout -k 1 60 nice -n 5 vitest run', ['vitest run']],
    ['npx -y -p x vitest', ['vitest']],
    ['npx.cmd vitest', ['vitest']],
    ['pnpm exec vitest', ['vitest']],
    ['pnpm --filter a exec vitest', ['pnpm --filter a exec vitest']],
    ['pnpm test', ['pnpm test']],
    ['xargs -n 1 vitest', ['vitest']],
    ['command -v vitest', ['command -v vitest']],
    ['env', ['env']],
    ['timeout 60', ['timeout 60']],
  ])('reads %j', (line, expected) => expect(unwrapped(line)).toEqual(expected))

  it('leaves those alone that the caller does not name, or that are not understood', () => {
    expect(unwrapped('sudo vitest')).toEqual(['sudo vitest'])
    expect(unwrapped('watch vitest')).toEqual(['watch vitest'])
  })

  it('follows ten, and no more', () => {
    expect(unwrapped(`${'nice '.repeat(10)}vitest`)).toEqual(['vitest'])
    expect(unwrapped(`${'nice '.repeat(11)}vitest`)).toEqual(['nice vitest'])
  })
})
