import { plural } from '@donecheck/core/base'
import { unifiedDiffOf } from '@donecheck/engine/patch'
import type { Line } from '@donecheck/engine/report'
import type { KeptTree, KeptTrees } from '@donecheck/engine/workspace'
import { quiet } from '../commands/said.ts'

interface Step {
  readonly before: KeptTree
  readonly after: KeptTree
  readonly written: ReadonlySet<string>
}

export interface Difference {
  readonly diff: string
  readonly lines: readonly Line[]
}

export class Steps {
  readonly #trees: KeptTrees
  readonly #signal = new AbortController().signal
  #done: Step[] = []
  #undone: Step[] = []
  #first: KeptTree | undefined
  #before: KeptTree | undefined

  constructor(trees: KeptTrees) {
    this.#trees = trees
  }

  async begin(): Promise<void> {
    this.#before = await this.#trees.keep(this.#signal)
    this.#first ??= this.#before
  }

  /** @param written paths that tool calls named as written */
  async end(written: ReadonlySet<string>): Promise<void> {
    const before = this.#before
    this.#before = undefined
    if (before === undefined) return
    const after = await this.#trees.keep(this.#signal)
    const { changes, unknown } = this.#trees.difference(before, after)
    if (changes.length + unknown.length === 0) return
    this.#done.push({ before, after, written })
    this.#undone = []
  }

  async difference(of: 'session' | 'last'): Promise<Difference> {
    const last = this.#done.at(-1)
    const from = of === 'session' ? this.#first : (this.#before ?? last?.before)
    if (from === undefined) return { diff: '', lines: [quiet('nothing has been done yet')] }
    const to =
      of === 'last' && this.#before === undefined && last !== undefined
        ? last.after
        : await this.#trees.keep(this.#signal)
    const { changes, unknown } = this.#trees.difference(from, to)
    const count = changes.length + unknown.length
    const since = of === 'session' ? 'since the session began' : 'by the latest message'
    return {
      diff: unifiedDiffOf(changes),
      lines: [
        quiet(count === 0 ? `nothing was changed ${since}` : `${plural(count, 'file')} changed ${since}`),
        ...unknown.map((path) => quiet(`  ${path}: cannot be shown as text`)),
      ],
    }
  }

  /** @returns lines for the screen, and the changed paths */
  async undo(): Promise<{ readonly lines: readonly Line[]; readonly changed: readonly string[] }> {
    const step = this.#done.pop()
    if (step === undefined) return { lines: [quiet('there is nothing to take back')], changed: [] }
    const moved = await this.#move(step.after, step.before, 'taken back', (path) => step.written.has(path))
    if (moved.changed.length === 0 && moved.left.length > 0) this.#done.push(step)
    else this.#undone.push(step)
    return moved
  }

  async redo(): Promise<{ readonly lines: readonly Line[]; readonly changed: readonly string[] }> {
    const step = this.#undone.pop()
    if (step === undefined) return { lines: [quiet('nothing was taken back')], changed: [] }
    const moved = await this.#move(step.before, step.after, 'put back', () => true)
    if (moved.changed.length === 0 && moved.left.length > 0) this.#undone.push(step)
    else this.#done.push(step)
    return moved
  }

  async #move(from: KeptTree, to: KeptTree, how: string, mayDelete: (path: string) => boolean) {
    const restored = await this.#trees.restore(from, to, mayDelete, this.#signal)
    const { changed, left, appeared, problem } = restored
    const lines: Line[] = [
      ...changed.map((path): Line => ({ tone: 'plain', text: `  ${how}: ${path}` })),
      ...left.map((path): Line => ({ tone: 'warning', text: `  left as it is: ${path}` })),
      ...(problem === undefined ? [] : [{ tone: 'bad' as const, text: problem }]),
      ...(left.length > 0 && problem === undefined
        ? [quiet('what was changed since, and what is no plain file, stays')]
        : []),
      ...appeared.map((path): Line => ({ tone: 'warning', text: `  not deleted: ${path}` })),
      ...(appeared.length > 0
        ? [quiet('nothing shows that the agent made these files: delete those you do not want yourself')]
        : []),
    ]
    return { lines, changed, left }
  }
}
