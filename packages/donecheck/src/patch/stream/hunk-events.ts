import { trimBoth } from '../lines.ts'
import { HunkReader } from '../parse-hunks.ts'
import { endMarker } from '../parse-markers.ts'
import type { PatchProblem } from '../plan/plan.ts'
import { relativePathOf } from '../plan/relative-path.ts'
import type { PatchStreamEvent } from './patch-stream-event.ts'

/** Reads the lines of a patch below its begin marker, and says what each has completed. */
export class HunkEvents {
  readonly #reader = new HunkReader('strict')
  #events: PatchStreamEvent[] = []
  #line = 1
  #isBroken = false
  /** The hunk that is still open, and what has been told of it. */
  #open: { readonly path: string; chunks: number; isMoveSeen: boolean } | undefined

  /** What has been told since the last time. */
  take(): readonly PatchStreamEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  /** Nothing that comes now counts. */
  break(message: string, line: number | undefined): void {
    if (this.#isBroken) return
    this.#isBroken = true
    this.#report({ kind: 'malformed', message, ...(line === undefined ? {} : { patchLine: line }) })
  }

  read(text: string): void {
    if (this.#isBroken) return
    this.#line += 1
    const before = this.#reader.hunkCount
    const invalid = this.#reader.read(text, this.#line)
    if (invalid !== undefined) {
      this.break(invalid.message, invalid.line)
      return
    }
    const isEnd = this.#reader.openUpdate === undefined && trimBoth(text) === endMarker
    if (isEnd) this.#complete(before)
    if (this.#reader.hunkCount === before) {
      this.#readMore()
      return
    }
    this.#complete(before)
    this.#begin(before)
  }

  #begin(index: number): void {
    const hunk = this.#reader.hunkAt(index)
    if (hunk === undefined) return
    const { path, line } = hunk
    this.#open = { path, chunks: 0, isMoveSeen: false }
    this.#events.push({ kind: 'file-begun', operation: hunk.kind, path, line })
    this.#checkPath(path)
  }

  #readMore(): void {
    const update = this.#reader.openUpdate
    const open = this.#open
    if (update === undefined || open === undefined) return
    if (update.moveTo !== undefined && !open.isMoveSeen) {
      open.isMoveSeen = true
      this.#checkPath(update.moveTo)
    }
    if (update.chunkCount < open.chunks + 2) return
    const chunk = update.chunkAt(open.chunks)
    if (chunk !== undefined) this.#events.push({ kind: 'chunk-completed', path: open.path, chunk })
    open.chunks += 1
  }

  /** @param count of the hunks, of which the last is complete */
  #complete(count: number): void {
    const hunk = this.#reader.hunkAt(count - 1)
    const open = this.#open
    if (open === undefined || hunk === undefined) return
    this.#open = undefined
    const rest = hunk.kind === 'update' ? hunk.chunks.slice(open.chunks) : []
    for (const chunk of rest) this.#events.push({ kind: 'chunk-completed', path: open.path, chunk })
    this.#events.push({ kind: 'file-completed', hunk })
  }

  #checkPath(written: string): void {
    const relative = relativePathOf(written)
    if (relative.kind === 'bad')
      this.#report({ kind: 'bad-path', message: relative.reason, path: written, patchLine: this.#line })
  }

  #report(problem: PatchProblem): void {
    this.#events.push({ kind: 'problem', problem })
  }
}
