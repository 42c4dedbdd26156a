import { describe, expect, it } from 'vitest'
import { inheritedEnvironment } from './environment.ts'

describe('given the variables of this process', () => {
  it('hands on all but our own', () => {
    const variables = { PATH: '/bin', DONECHECK_UNTIL: 'npm test', EMPTY: '', ABSENT: undefined }
    expect(inheritedEnvironment(variables)).toEqual({ PATH: '/bin', EMPTY: '' })
  })
})
