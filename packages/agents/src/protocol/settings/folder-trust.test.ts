import { describe, expect, it } from 'vitest'
import { doubtOfFolder } from './hook-settings.ts'

const trust = { title: 'Gemini CLI', program: 'gemini', file: '/home/ada/.gemini/trustedFolders.json' }
const doubt = (rules: Readonly<Record<string, string>> | undefined) =>
  doubtOfFolder('/srv/shop/api', rules, trust)

describe('given an agent that reads the settings of a project only where it trusts it', () => {
  it.each([
    [{ '/srv/shop/api': 'TRUST_FOLDER' }],
    [{ '/srv': 'TRUST_FOLDER' }],
    [{ '/srv/shop/web': 'TRUST_PARENT' }],
    [{ '/': 'TRUST_FOLDER' }],
    [{ '/srv': 'DO_NOT_TRUST', '/srv/shop': 'TRUST_FOLDER' }],
  ])('then %j trusts it', (rules) => {
    expect(doubt(rules)).toBeUndefined()
  })

  it.each([
    [undefined],
    [{}],
    [{ '/srv/shop/api-old': 'TRUST_FOLDER' }],
    [{ '/srv/shop/api': 'SOMETHING' }],
    [{ '/srv/shop/api/src': 'TRUST_FOLDER' }],
  ])('then %j does not, and the way out is told', (rules) => {
    expect(doubt(rules)).toContain('start gemini in it once')
  })

  it('then a no of its user is told as one', () => {
    expect(doubt({ '/srv': 'TRUST_FOLDER', '/srv/shop': 'DO_NOT_TRUST' })).toContain('is told not to trust')
  })
})
