import { setTimeout as pause } from 'node:timers/promises'
import type { Workspace } from '@donecheck/engine/internal/ports/loop'

export interface Watching {
  readonly workspace: Workspace
  readonly signal: AbortSignal
  readonly notice: (text: string) => void
}

const pollMs = 500

/** Checks again when the tree changes; only once more if it changed during a check: checks may write. */
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

/** A function, because the value changes during awaits. */
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

/** A tree that is being written cannot always be read. */
async function takeFingerprint(workspace: Workspace, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await workspace.fingerprint(signal)
  } catch {
    return undefined
  }
}
