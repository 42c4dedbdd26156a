import { describe, expect, it } from 'vitest'
import type { Workspace } from '@donecheck/engine/internal/ports/loop'
import { watchTree } from './watch-tree.ts'

/** Watches a tree that is a number, until it waits for a change. */
async function watched(check: (tree: { version: number }, call: number) => void): Promise<number> {
  const tree = { version: 0 }
  const end = new AbortController()
  const workspace: Workspace = { folder: '/srv/tree', fingerprint: async () => `tree-${tree.version}` }
  let calls = 0
  await watchTree(
    {
      workspace,
      signal: end.signal,
      notice: (text) => {
        if (text.startsWith('watching')) end.abort()
      },
    },
    async () => {
      calls += 1
      check(tree, calls)
      return 0
    },
  )
  return calls
}

describe('given a tree that is watched', () => {
  it('when it was changed during the check, then it is checked once more', async () => {
    const calls = await watched((tree, call) => {
      if (call === 1) tree.version += 1
    })
    expect(calls).toBe(2)
  })

  it('when every check writes, then that does not go on for ever', async () => {
    expect(await watched((tree) => (tree.version += 1))).toBe(2)
  })

  it('when nothing has changed, then it waits', async () => {
    expect(await watched(() => undefined)).toBe(1)
  })

  it('when it is ended while it looks at the tree, then the latest check stands', async () => {
    const end = new AbortController()
    let looks = 0
    const workspace: Workspace = {
      folder: '/srv/tree',
      fingerprint: async () => {
        looks += 1
        if (looks === 2) end.abort()
        end.signal.throwIfAborted()
        return 'tree'
      },
    }
    const exitCode = await watchTree({ workspace, signal: end.signal, notice: () => undefined }, async () =>
      end.signal.aborted ? 130 : 0,
    )
    expect(exitCode).toBe(0)
  })
})
