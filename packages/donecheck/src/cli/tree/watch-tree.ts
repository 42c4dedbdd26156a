import { setTimeout as pause } from 'node:timers/promises'
import type { Workspace } from '@donecheck/engine/ports/loop'

export interface Watching {
  readonly workspace: Workspace
  readonly signal: AbortSignal
  readonly notice: (text: string) => void
}

/** Between two looks at a tree that nobody told us about. */
const pollMs = 500

/**
 * Checks, then checks again whenever the tree is another one, until it is interrupted. A tree that has changed while it was
 * checked is checked once more, and not again for that: checks that write would never end. The exit code is that of the
 * latest check.
 */
export async function watchTree(
  { workspace, signal, notice }: Watching,
  check: () => Promise<number>,
): Promise<number> {
  for (let isOnceMore = false; ;) {
    const before = await takeFingerprint(workspace, signal)
    const exitCode = await check()
    const after = isAborted(signal) ? undefined : await takeFingerprint(workspace, signal)
    if (isAborted(signal)) return exitCode
    isOnceMore = !isOnceMore && after !== before
    if (isOnceMore) {
      notice('the tree has changed meanwhile: once more')
      continue
    }
    notice('watching for changes; Ctrl-C ends it')
    await untilOther(after, workspace, signal)
    if (isAborted(signal)) return exitCode
  }
}

/** Asked anew: it changes while something is waited for. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted
}

async function untilOther(
  checked: string | undefined,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await pause(pollMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const now = await takeFingerprint(workspace, signal)
    if (now !== undefined && now !== checked) return
  }
}

/** A tree in the middle of being written cannot always be read: it is looked at again. */
async function takeFingerprint(workspace: Workspace, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await workspace.fingerprint(signal)
  } catch {
    return undefined
  }
}
