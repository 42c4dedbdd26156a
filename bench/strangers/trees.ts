/** The trees of commits as the product reads them. */
import type { ReadableTree } from '@donecheck/engine/internal/analysis/sides'
import { contentsOf, entriesOf, type Entry, type Repository } from './git.ts'

export interface CommitTree extends ReadableTree {
  readonly entries: ReadonlyMap<string, Entry>
  readonly content: (path: string) => Buffer | undefined
}

/** Longer ones are nobody's source. */
const maxTextBytes = 2 ** 20
const maxKeptBytes = 2 ** 28

/** Contents are kept between the commits of a repository, because neighbours share nearly all of them. */
export class TreeReader {
  readonly #repository: Repository
  readonly #contents = new Map<string, Buffer>()
  readonly #texts = new Map<string, string | null>()
  #keptBytes = 0

  constructor(repository: Repository) {
    this.#repository = repository
  }

  read(commit: string): CommitTree {
    const entries = entriesOf(this.#repository, commit)
    this.#load([...entries.values()].filter(({ sizeBytes }) => sizeBytes <= maxTextBytes))
    const content = (path: string) => {
      const entry = entries.get(path)
      return entry === undefined ? undefined : this.#contentOf(entry.id)
    }
    return {
      entries,
      content,
      has: (path) => entries.has(path),
      paths: () => entries.keys(),
      text: (path) => {
        const entry = entries.get(path)
        return entry === undefined ? null : this.#textOf(entry)
      },
    }
  }

  #load(entries: readonly Entry[]): void {
    if (this.#keptBytes > maxKeptBytes) {
      this.#contents.clear()
      this.#texts.clear()
      this.#keptBytes = 0
    }
    const missing = new Set(entries.map(({ id }) => id).filter((id) => !this.#contents.has(id)))
    for (const [id, content] of contentsOf(this.#repository, [...missing])) {
      this.#contents.set(id, content)
      this.#keptBytes += content.length
    }
  }

  #contentOf(id: string): Buffer | undefined {
    return this.#contents.get(id) ?? contentsOf(this.#repository, [id]).get(id)
  }

  #textOf({ id, mode, sizeBytes }: Entry): string | null {
    if (mode === '120000' || sizeBytes > maxTextBytes) return null
    const known = this.#texts.get(id)
    if (known !== undefined) return known
    const content = this.#contentOf(id)
    const text = content === undefined || content.includes(0) ? null : content.toString()
    this.#texts.set(id, text)
    return text
  }
}
