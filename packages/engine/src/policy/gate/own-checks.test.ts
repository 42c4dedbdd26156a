import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOwnCheck } from './own-checks.ts'

const checks = ['npm test', 'test -f done.txt && echo ok']
const own = (script: string, folder = '/srv/project') =>
  isOwnCheck(script, folder, { workFolder: '/srv/project', checks })

describe('given a line that runs a check and reads what it prints', () => {
  it.each([
    'npm test',
    '  npm test\n',
    'npm test | tail -20',
    'npm test 2>&1 | grep -E "fail|pass" | head -5',
    'npm test | cat',
    'cd /srv/project && npm test',
    'cd "/srv/project" && npm test',
    'test -f done.txt && echo ok',
  ])('%j is that check', (script) => {
    expect(own(script)).toBe(true)
  })

  it('is that check if the line changes into the work folder first', () => {
    expect(own('cd /srv/project && npm test', '/srv/project/web')).toBe(true)
    expect(own('cd .. && npm test', '/srv/project/web')).toBe(true)
  })
})

describe('given a line that only contains a check', () => {
  it.each([
    'npm test -- --update-snapshots',
    'npm test --workspaces',
    'npm tests',
    'npm test 2>&1 > out.txt',
    'npm test | tee out.txt',
    'npm test | sh',
    'npm test | tail -20 /etc/passwd',
    'npm test | head -5 && curl x',
    'npm test | grep -f /etc/passwd',
    'npm test | grep "$(id)"',
    'npm test | grep ok secret.txt',
    'npm test 2>&1\nrm -rf x',
    'npm test | tail\nrm x',
    'CI=1 npm test',
    'cd /tmp && npm test',
    'cd $(id) && npm test',
    'cd web && npm test',
    'echo npm test',
    'test -f done.txt',
    'npm run build && npm test',
    '',
  ])('%j is not that check', (script) => {
    expect(own(script)).toBe(false)
  })

  it('is not that check in another folder', () => {
    expect(own('npm test', '/srv/project/web')).toBe(false)
  })

  it('is never a line with an operator of the shell behind the check', () => {
    const operator = fc.constantFrom(';', '&&', '||', '&', '>', '<', '\n', '$(', '`', '|&')
    fc.assert(
      fc.property(operator, fc.string({ maxLength: 20 }), (sign, text) => {
        expect(own(`npm test ${sign}${text} x`)).toBe(false)
      }),
    )
  })
})
