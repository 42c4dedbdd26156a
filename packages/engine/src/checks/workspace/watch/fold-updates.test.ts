import { describe, expect, it } from 'vitest'
import type { TamperFinding } from '../../../analysis/tamper/index.ts'
import { foldUpdates } from './runner-findings.ts'

const found = (path: string, atMost?: 'note'): TamperFinding => ({
  rule: 'runner.replaced',
  path,
  message: `${path} was changed since the run began`,
  ...(atMost === undefined ? {} : { atMost }),
})
const told = (paths: readonly string[], files: readonly string[] = []) =>
  foldUpdates(
    paths.map((path) => found(path, 'note')),
    files,
  ).map(({ message }) => message)

describe('given updates of packages', () => {
  const modules = ['vite', '@vitest/runner', 'chai', 'tinypool'].map((name) => `node_modules/${name}`)
  const program = 'node_modules/.bin/vitest'

  it('tells of them in one line for each installer', () => {
    const python = '.venv/lib/python3/site-packages/six.py'
    expect(
      told([...modules, program, 'web/node_modules/chai', python], ['package-lock.json', 'uv.lock']),
    ).toEqual([
      '4 packages changed by npm install: @vitest/runner, chai, tinypool, …',
      '1 package changed by uv sync: six.py',
    ])
  })

  it('names the installer by the lock file, and else the usual one', () => {
    expect(told(['node_modules/a'], ['web/pnpm-lock.yaml'])).toEqual(['1 package changed by pnpm install: a'])
    expect(told(['node_modules/a', '.venv/lib/x/site-packages/b'])).toEqual([
      '1 package changed by npm install: a',
      '1 package changed by pip install: b',
    ])
  })

  it('counts programs where no package changed', () => {
    expect(told([program])).toEqual(['1 program changed by npm install: vitest'])
  })

  it('leaves alone what needs approval', () => {
    const open = found('node_modules/left')
    expect(foldUpdates([open, found('node_modules/a', 'note')], [])[0]).toBe(open)
    expect(foldUpdates([open], [])).toEqual([open])
  })
})
