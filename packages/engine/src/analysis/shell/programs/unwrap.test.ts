import { describe, expect, it } from 'vitest'
import { unwrapWords } from '../index.ts'
import type { UnwrapFor } from './unwrap.ts'

const unwrapped = (line: string, purpose: UnwrapFor = 'exit-code') => {
  const { words, variables } = unwrapWords(line.split(' '), purpose)
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

  it('leaves those alone that hide how it ends, or that are not understood', () => {
    for (const line of ['watch vitest', 'setarch vitest', 'make vitest'])
      expect(unwrapped(line)).toEqual([line])
  })

  it('leaves those alone that take words for the program, or change what it reports', () => {
    for (const line of ['sudo vitest', 'npm exec vitest', 'xargs vitest', 'nohup vitest'])
      expect(unwrapped(line, 'report')).toEqual([line])
    for (const line of ['npx vitest', 'c8 vitest', 'pnpm exec vitest', 'uv run vitest'])
      expect(unwrapped(line, 'report')).toEqual(['vitest'])
  })

  it('knows which may end for a reason of their own', () => {
    const addsEnd = (line: string) => unwrapWords(line.split(' '), 'exit-code').addsEnd
    expect(['env nice vitest', 'vitest', 'time vitest'].map(addsEnd)).toEqual([false, false, false])
    expect(['timeout 9 vitest', 'env timeout 9 vitest', 'npx vitest'].map(addsEnd)).toEqual([
      true,
      true,
      true,
    ])
  })

  it('follows ten, and no more', () => {
    expect(unwrapped(`${'nice '.repeat(10)}vitest`)).toEqual(['vitest'])
    expect(unwrapped(`${'nice '.repeat(11)}vitest`)).toEqual(['nice vitest'])
  })
})
