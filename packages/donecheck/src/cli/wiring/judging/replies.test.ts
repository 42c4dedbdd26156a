import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { verifierOf } from '@donecheck/engine/verify'
import { parseConfig } from '../../../config/index.ts'
import { replyVerification, withRepliesRead } from './judge.ts'

const folder = mkdtempSync(join(tmpdir(), 'donecheck-replies-'))
afterAll(() => rmSync(folder, { recursive: true }))

const judge = verifierOf('judge', () => true, { reads: 'answer' })
const heartbeat = { name: 'HEARTBEAT.md', due: ['disk'], notDue: [] }

function chosen(given: object, judges = [judge]) {
  return replyVerification(parseConfig(given, 'a test'), judges)
}

describe('given a configuration', () => {
  it('that says nothing of replies, or switches it off, verifies none', () => {
    expect(chosen({})).toBeUndefined()
    expect(chosen({ verifyReplies: false })).toBeUndefined()
  })

  it('the judge of the run judges them', () => {
    expect(chosen({ verifyReplies: true })).toEqual({ judge, verifyAll: false })
    expect(chosen({ verifyReplies: { all: true, maxAttempts: 2, keywords: ['fertig'] } })).toEqual({
      judge,
      verifyAll: true,
      maxAttempts: 2,
      keywords: ['fertig'],
    })
  })

  it('without a judge it says what to name', () => {
    expect(() => chosen({ verifyReplies: true }, [])).toThrow(UsageError)
    expect(() => chosen({ verifyReplies: true }, [])).toThrow('--judge')
  })

  it('a heartbeat is judged where that is said, whatever it says', () => {
    expect(chosen({ verifyReplies: true, keptHeartbeat: heartbeat })).toBeUndefined()
    expect(chosen({ verifyReplies: { heartbeat: true }, keptHeartbeat: heartbeat })).toEqual({
      judge,
      verifyAll: true,
    })
  })
})

describe('given a file of OpenClaw', () => {
  const verifier = { enabled: true, model: 'openai/gpt-5', maxAttempts: 2, verifyAll: true }
  writeFileSync(join(folder, 'openclaw.json'), JSON.stringify({ agents: { defaults: { verifier } } }))
  const read = (given: object) => withRepliesRead(parseConfig(given, 'a test'), { currentFolder: folder })

  it('is read once; what is said here goes first', async () => {
    const { verifyReplies, judge: named } = await read({
      verifyReplies: { openclaw: 'openclaw.json', maxAttempts: 4 },
    })
    expect(verifyReplies).toEqual({ all: true, maxAttempts: 4 })
    expect(named).toEqual({ models: ['openai/gpt-5'] })
    const other = await read({
      verifyReplies: { openclaw: 'openclaw.json' },
      judge: 'google/gemini-2.5-flash',
    })
    expect(other.judge).toEqual({ models: ['google/gemini-2.5-flash'] })
  })

  it('that is not there is said', async () => {
    await expect(read({ verifyReplies: { openclaw: 'other.json' } })).rejects.toThrow(UsageError)
  })
})
