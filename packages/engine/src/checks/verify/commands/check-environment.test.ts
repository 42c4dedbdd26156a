import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeProject, outputIn, type Project } from './test-reports/fixtures/project.ts'

let project: Project

beforeEach(async () => {
  project = await makeProject({})
  process.env['DONECHECK_UNTIL'] = 'npm test'
  process.env['_'] = '/usr/bin/donecheck'
})

afterEach(async () => {
  delete process.env['DONECHECK_UNTIL']
  await project.remove()
})

describe('given a check that looks for what watches it', () => {
  it('finds nothing that names donecheck in its environment, and none in the words of its shell', async () => {
    const words = String.raw`tr '\0' '\n' < /proc/$$/cmdline`
    const report = await project.check(`echo "shell $0"; env | grep -Ev '^(PATH|PWD|OLDPWD)='; ${words}`)
    expect(outputIn(report)).toContain('shell line')
    expect(outputIn(report)).not.toMatch(/donecheck/i)
  })
})
