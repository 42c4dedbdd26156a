import { describe, expect, it } from 'vitest'
import { readTool } from './fixtures/requests.ts'
import { systemPrompt } from './prompt.ts'

describe('given tools', () => {
  it('names them, says where work happens and who decides', () => {
    const text = systemPrompt([readTool])
    expect(text).toContain('(read)')
    expect(text).toContain('work folder')
    expect(text).toContain('You do not decide when the task is done')
  })
})
