import { describe, expect, it } from 'vitest'
import { UsageError } from '../../base/index.ts'
import { defaultTools } from './default-tools.ts'

describe('given a work folder', () => {
  it('there is a tool for everything that the work needs', () => {
    const tools = defaultTools({ workFolder: '.' }).map(({ name, effect }) => [name, effect])
    expect(tools).toEqual([
      ['read_file', 'read'],
      ['write_file', 'write'],
      ['edit_file', 'write'],
      ['apply_patch', 'write'],
      ['list_files', 'read'],
      ['search_text', 'read'],
      ['run_shell', 'execute'],
    ])
  })

  it.each([0, -1, Number.NaN, Infinity])('a shell timeout of %d is refused', (shellTimeoutMs) => {
    expect(() => defaultTools({ workFolder: '.', shellTimeoutMs })).toThrow(UsageError)
  })

  it('the longest time a command may ask for is never below the usual one', () => {
    const shell = defaultTools({ workFolder: '.', shellTimeoutMs: 3_600_000 }).find(
      ({ name }) => name === 'run_shell',
    )
    expect(JSON.stringify(shell?.parameters)).toContain('"maximum":3600')
  })
})
