import { describe, expect, it } from 'vitest'
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
})
