/** How long a hook takes beside a Node that does nothing, on this machine and now. */
import { spawnSync } from 'node:child_process'
import type { Tried } from './trial.ts'

/** Above it every call of a tool is felt to be slower. */
export const slowRatio = 4

const tries = 3

/** Of a bare `node -e 0`, the quickest of a few. Milliseconds. */
export function bareNodeMs(node = process.execPath): number {
  const times = Array.from({ length: tries }, () => {
    const startedMs = performance.now()
    spawnSync(node, ['-e', '0'], { stdio: 'ignore' })
    return performance.now() - startedMs
  })
  return Math.min(...times)
}

export function ratioOf({ tookMs }: Tried, bareMs: number): number {
  return tookMs / bareMs
}
