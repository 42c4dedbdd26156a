import { describe, expect, it } from 'vitest'
import type { Config } from '../../../config/index.ts'
import { warningsOf } from '../pin/pin-session.ts'

const warnings = (config: Config, timeoutSeconds = 600) =>
  warningsOf({
    ...{ config, timeoutSeconds, scope: 'user' },
    ...{ workFolder: '/srv/shop', program: '/opt/donecheck/bin/donecheck.js' },
  }).join('\n')

const until = [{ command: 'make check' }]

describe('given what is to be pinned', () => {
  it('then caps that no hook can keep are told', () => {
    const said = warnings({ until, maxTokens: 1000, maxCostUsd: 2, maxTurns: 3 })
    expect(said).toContain('maxTokens and maxCostUsd cannot be kept by hooks')
    expect(said).not.toContain('maxTurns')
    expect(warnings({ until, maxTokens: 'off' })).toBe('')
  })

  it('then a check that has more time than its hook is told', () => {
    expect(warnings({ until, verifyTimeoutSeconds: 900 })).toContain('raise --hook-timeout')
    expect(warnings({ until: [{ command: 'make check', timeoutSeconds: 60 }] }, 60)).toContain('60 s')
    expect(warnings({ until, verifyTimeoutSeconds: 300 })).toBe('')
  })

  it('then replies that no hook can hold back are told', () => {
    expect(warnings({ until, verifyReplies: {} })).toContain('no reply is held back here')
    expect(warnings({ until, verifyReplies: false })).toBe('')
  })
})
