/** One run at a time in a folder: which runs may enter theirs, and which stand before it. */
import { Ranking } from './ranking.ts'
import { compareRuns, type Run } from './run.ts'

interface Folder {
  /** The run that is in it, above it a child run that its parent let in, and so on. */
  readonly holders: Run[]
  /** Runs that want in, by what else they need: of each queue the first stands for all. */
  readonly queues: Map<string, Ranking<Run>>
  offered: ReadonlySet<Run>
}

/** Whoever may be placed as far as folders go is given to `offer`, and taken back by `withdraw`. */
export class Folders {
  readonly #folders = new Map<string, Folder>()
  readonly #offer: (run: Run) => void
  readonly #withdraw: (run: Run) => void

  constructor(offer: (run: Run) => void, withdraw: (run: Run) => void) {
    this.#offer = offer
    this.#withdraw = withdraw
  }

  queued(run: Run): void {
    this.#inFolder(run, this.#offer, (folder) => {
      const queue = folder.queues.get(queueKey(run)) ?? new Ranking(compareRuns)
      folder.queues.set(queueKey(run), queue)
      queue.put(run)
    })
  }

  /** It is not queued any more: placed, or over. */
  left(run: Run): void {
    this.#inFolder(run, this.#withdraw, (folder) => {
      const queue = folder.queues.get(queueKey(run))
      queue?.delete(run)
      if (queue?.size === 0) folder.queues.delete(queueKey(run))
    })
  }

  /** It has its first worker, and with it its folder. */
  entered(run: Run): void {
    this.#inFolder(run, undefined, ({ holders }) => holders.push(run))
  }

  /** Whether it waits decides who may enter beside it. */
  changed(run: Run): void {
    this.#inFolder(run, undefined, () => undefined)
  }

  over(run: Run): void {
    this.#inFolder(run, undefined, ({ holders }) => {
      const place = holders.indexOf(run)
      if (place >= 0) holders.splice(place, 1)
    })
  }

  #inFolder(
    run: Run,
    withoutFolder: ((run: Run) => void) | undefined,
    change: (folder: Folder) => unknown,
  ): void {
    const { folder: name } = run.request
    if (name === undefined) {
      withoutFolder?.(run)
      return
    }
    const folder = this.#folders.get(name) ?? { holders: [], queues: new Map(), offered: new Set() }
    this.#folders.set(name, folder)
    change(folder)
    this.#offerAgain(folder)
    if (folder.holders.length === 0 && folder.queues.size === 0) this.#folders.delete(name)
  }

  #offerAgain(folder: Folder): void {
    const firsts = [...folder.queues.values()].flatMap((queue) => queue.first() ?? [])
    const entering = new Set(firsts.filter((run) => mayEnter(folder, run)))
    for (const run of folder.offered) if (!entering.has(run)) this.#withdraw(run)
    for (const run of entering) if (!folder.offered.has(run)) this.#offer(run)
    folder.offered = entering
  }
}

function mayEnter({ holders }: Folder, run: Run): boolean {
  const inside = holders.at(-1)
  if (inside === undefined || inside === run) return true
  return inside.request.runId === run.request.parent && inside.stage.kind === 'waiting'
}

/** Of runs with the same key either all may be placed now or none. */
function queueKey({ needsKey, request, attempt }: Run): string {
  return JSON.stringify([needsKey, request.tenant, request.parent, attempt === 0 ? null : request.runId])
}
