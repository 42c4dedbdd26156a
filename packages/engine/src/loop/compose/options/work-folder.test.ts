import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { openSqliteStore } from '../../../system/store/index.ts'
import { scriptedAgent } from '../../agents/index.ts'
import { createAgentLoop } from '../compose.ts'

const root = mkdtempSync(join(tmpdir(), 'store-place-'))
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('given a store in the work folder', () => {
  it('no run is kept there: its agent could edit it, and each look at the tree would read it', async () => {
    const store = openSqliteStore({ folder: join(root, '.runs') })
    const options = { agent: scriptedAgent([]), store }
    expect(() => createAgentLoop({ ...options, workFolder: root })).toThrow(UsageError)
    expect(() => createAgentLoop({ ...options, workFolder: root })).toThrow('is inside the work folder')
    expect(createAgentLoop({ ...options, workFolder: null })).toBeDefined()
    await store.close()
  })
})
