import { describe, expect, it } from 'vitest'
import { checkingOf } from './checking-options.ts'

const waiver = { check: 'lnit', by: 'mia', until: '2999-12-31', reason: 'the rule is broken' }

describe('given a waiver', () => {
  it.each(['waive', 'quarantine'] as const)(
    'when %s names a check that there is not, then it is refused with the names that there are',
    (list) => {
      const ask = () => checkingOf({ [list]: [waiver] }, null, ['npm test', 'lint'])
      expect(ask).toThrow(`${list}: there is no check "lnit"; the checks are npm test, lint`)
    },
  )
})
