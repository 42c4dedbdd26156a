import { describe, expect, it } from 'vitest'
import { editedPaths } from './calls.ts'

describe('given a call of a tool that changes files, by its name or its effect', () => {
  it('names the file that its arguments name', () => {
    expect(editedPaths('Write', { file_path: 'a.py', content: '1' }, 'execute')).toEqual(['a.py'])
    expect(editedPaths('str_replace_editor', { command: 'create', path: 'a' }, undefined)).toEqual(['a'])
    expect(editedPaths('change', { path: 'a' }, 'write')).toEqual(['a'])
  })

  it('names none where the arguments do not say it plainly', () => {
    expect(editedPaths('apply_patch', { patch: '*** Begin Patch' }, undefined)).toEqual([])
  })
})

describe('given any other call', () => {
  it('is not known to edit', () => {
    expect(editedPaths('str_replace_editor', { command: 'view', path: 'a' }, undefined)).toBeUndefined()
    expect(editedPaths('create_order', { id: 1, file: 'a' }, undefined)).toBeUndefined()
    expect(editedPaths('bash', { command: 'touch a' }, 'execute')).toBeUndefined()
    expect(editedPaths('write_file', { path: 'a' }, 'read')).toBeUndefined()
  })
})
