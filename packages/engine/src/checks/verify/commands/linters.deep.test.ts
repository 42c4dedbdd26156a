import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { inheritedEnvironment } from '../../../system/process/index.ts'
import { contextOf } from '../texts/fixtures/ask.ts'
import { command } from './command.ts'
import { makeProject, type Project } from './test-reports/fixtures/project.ts'

let project: Project | undefined

afterEach(async () => {
  await project?.remove()
  project = undefined
})

const config = "export default [{ rules: { 'no-undef': 'error', 'no-unused-vars': 'error' } }]\n"
const known = '/* global older */\nexport const a = older\n'

/** The verdict of a claim in the clean room, after the check was asked about the tree as it was. */
async function askAfter(before: string, after: string, mayBeGone: readonly string[] = []) {
  project = await makeProject({
    'package.json': '{ "type": "module", "scripts": { "lint": "eslint src" } }',
    'eslint.config.js': config,
    'src/a.js': before,
    'src/b.js': known,
  })
  const { folder } = project
  const check = command('npm run lint', { name: 'lint' })
  const signal = new AbortController().signal
  const environment = {
    ...inheritedEnvironment(),
    PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
  }
  const cleanRoom = { folder, environment }
  const context = contextOf({ workFolder: folder, cleanRoom, mayBeGone })
  await check.verify({ ...context, trigger: 'baseline' }, signal)
  await project.write({ 'src/a.js': after })
  return check.verify({ ...context, trigger: 'claim' }, signal)
}

const wrong = 'export const total = quantitty\n'

describe('comments in sources that speak to a linter', () => {
  it.each([
    ['name what is not there', `/* global quantitty */\n${wrong}`],
    ['switch a rule off', `/* eslint no-undef: 0 */\n${wrong}`],
    ['leave a line out', 'export const total = quantitty // eslint-disable-line\n'],
  ])('turn the check red where they are new and %s', async (_, after) => {
    expect(await askAfter(wrong.replace('quantitty', '1'), after)).toMatchObject({
      status: 'failed',
      qualifiers: ['tampered'],
      reason:
        "lint passes only because a comment hides what it did not hide before: src/a.js: 'quantitty' is not defined.",
    })
  })

  it('turn the check red where they hide what was red before', async () => {
    expect(await askAfter(wrong, `/* global quantitty */\n${wrong}`)).toMatchObject({ status: 'failed' })
  })

  it('are no reason for red where the sources had them before', async () => {
    const before = `/* global quantitty */\n${wrong}`
    expect(await askAfter(before, `${before}export const more = 1\n`)).toMatchObject({ status: 'passed' })
  })

  it('are no reason for red in a file whose change somebody has allowed', async () => {
    const after = `/* global quantitty */\n${wrong}`
    expect(await askAfter('export const total = 1\n', after, ['src/a.js'])).toMatchObject({
      status: 'passed',
    })
  })
})
