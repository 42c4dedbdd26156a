import { describe, expect, it } from 'vitest'
import { checkPolicy } from './drive.ts'

const rules = checkPolicy(['npm test', 'grep -q "a.b" x.txt'], '/srv/project')
/** As Gemini CLI reads it. */
const patterns = [...rules.matchAll(/^commandRegex = (".*")$/gm)].map(
  ([, text = '']) => new RegExp(`"command":"${String(JSON.parse(text))}`),
)
const isAllowed = (args: object) => patterns.some((pattern) => pattern.test(JSON.stringify(args)))

describe('given the policy that Gemini CLI is given', () => {
  it.each([
    'npm test',
    'npm test 2>&1',
    'npm test 2>&1 | tail -20',
    'cd /srv/project && npm test',
    'grep -q "a.b" x.txt',
  ])('it allows %j', (command) => {
    expect(isAllowed({ command, description: 'runs the tests' })).toBe(true)
  })

  it.each([
    'npm test -- --update-snapshots',
    'npm test; rm x',
    'npm test && git push',
    'echo npm test',
    'grep -q "axb" x.txt',
    'cd /srv && npm test',
    'npm test | sh',
    'tail -20 /etc/passwd',
  ])('it does not allow %j', (command) => {
    expect(isAllowed({ command, description: '"command":"npm test"' })).toBe(false)
  })

  it('does not allow a check in another folder', () => {
    expect(isAllowed({ command: 'npm test', dir_path: 'web' })).toBe(false)
  })
})
