import { describe, expect, it } from 'vitest'
import { inheritedEnvironment } from './start.ts'

describe('given the variables of this process', () => {
  it('hands on all but our own', () => {
    const variables = { PATH: '/bin', DONECHECK_UNTIL: 'npm test', EMPTY: '', ABSENT: undefined }
    expect(inheritedEnvironment(variables)).toEqual({ PATH: '/bin', EMPTY: '' })
  })

  it('keeps the command line of donecheck to itself, which shells and npm write down', () => {
    const ours = {
      _: '/usr/bin/donecheck',
      npm_lifecycle_script: 'donecheck verify',
      npm_package_name: '@donecheck/x',
    }
    const theirs = { npm_lifecycle_event: 'done', PATH: '/srv/donecheck/bin', PWD: '/srv/donecheck' }
    expect(inheritedEnvironment({ ...ours, ...theirs })).toEqual(theirs)
  })

  it('keeps the files to itself with which a step of CI sets outputs', () => {
    const files = { GITHUB_ENV: '/f', GITHUB_OUTPUT: '/f', GITHUB_PATH: '/f', GITHUB_STATE: '/f' }
    const variables = { ...files, GITHUB_STEP_SUMMARY: '/f', GITHUB_ACTIONS: 'true' }
    expect(inheritedEnvironment(variables)).toEqual({ GITHUB_ACTIONS: 'true' })
  })
})
