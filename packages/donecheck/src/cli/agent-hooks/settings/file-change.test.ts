import { describe, expect, it } from 'vitest'
import { changeLine, diffOf } from '../install/confirm-changes.ts'

describe('given changes of files', () => {
  it('then each is a line, and its diff stands there when it is asked for', () => {
    const change = { file: '/home/ada/.gemini/settings.json', before: '{}\n', after: '{ "hooks": {} }\n' }
    expect(changeLine(change)).toBe('  changed  /home/ada/.gemini/settings.json')
    expect(changeLine({ ...change, before: undefined })).toBe('  new  /home/ada/.gemini/settings.json')
    expect(changeLine({ ...change, after: undefined })).toBe('  gone  /home/ada/.gemini/settings.json')
    expect(diffOf(change)).toContain('+++ /home/ada/.gemini/settings.json')
    expect(diffOf(change)).toContain('+{ "hooks": {} }')
  })

  it('a file that stays as it is tells nothing', () => {
    expect(diffOf({ file: 'a', before: 'one\n', after: 'one\n' })).toBe('')
  })
})
