/** Tests whether a check can fail, in the clean room with a broken product. */
import { protectionOf } from '../../analysis/protect/index.ts'
import { isProductSource, startedByChecks } from '../../analysis/sides/index.ts'
import type { FaultTrialResult, VerifierResult } from '../../ports/checks.ts'
import {
  type Overlay,
  type OverlayFile,
  type TreeEntries,
  bytePathOfText,
  textOf,
} from '../../system/trees/index.ts'
import type { OpenRoom } from './clean-room/clean-room.ts'
import type { GuardParts } from './guard/options.ts'
import { readableTree } from './guard/sided-changes.ts'

interface Trial {
  readonly parts: GuardParts
  readonly room: OpenRoom
  readonly tree: TreeEntries
  readonly mayInstall: boolean
}

/** Invalid in every language and settings format we know. */
const unreadable = Buffer.from(')(\n\t"[: {\n')

/** Breaks every source, then deletes the product; a check must fail once. @throws {SnapshotError} */
export async function tryToFail(
  { parts, room, tree, mayInstall }: Trial,
  line: string,
  ask: (folder: string) => Promise<VerifierResult>,
  signal: AbortSignal,
): Promise<FaultTrialResult> {
  const product = productIn(tree, line, parts)
  const sources = product.filter(isProductSource)
  if (sources.length === 0) return { kind: 'nothing-to-break' }
  const broken = (path: string): OverlayFile => {
    const mode = tree.get(bytePathOfText(path))?.mode ?? 0o644
    return { kind: 'file', content: unreadable, mode }
  }
  const faults: readonly (readonly [what: string, overlay: Overlay])[] = [
    ['every source file made unreadable', overlayOf(sources, broken)],
    ['every product file deleted', overlayOf(product, () => null)],
  ]
  for (const [fault, overlay] of faults) {
    const result = await room.run({ tree, overlay, mayInstall }, signal, ({ folder }) => ask(folder))
    signal.throwIfAborted()
    if (result.status === 'failed') return { kind: 'red', fault }
    if (result.status !== 'passed') return { kind: 'undecided', reason: result.reason }
  }
  return { kind: 'green' }
}

function productIn(tree: TreeEntries, line: string, { workFolder, protect }: GuardParts): readonly string[] {
  const checkCommands = [...new Set([...protect.checkCommands, line])]
  const started = startedByChecks(checkCommands, readableTree(tree, workFolder))
  return [...tree.keys()].flatMap((bytePath) => {
    const path = textOf(bytePath)
    const isOfChecks =
      started.has(path) || protectionOf(path, { ...protect, mayChange: [], checkCommands }) !== undefined
    // By convention, hidden files are tool settings.
    const isHidden = path.split('/').some((part) => part.startsWith('.'))
    return isOfChecks || isHidden || bytePathOfText(path) !== bytePath ? [] : [path]
  })
}

function overlayOf(paths: readonly string[], versionOf: (path: string) => OverlayFile | null): Overlay {
  return new Map(paths.map((path) => [bytePathOfText(path), versionOf(path)]))
}
