/** No file may lead back to itself, types counted. */
import { arrowsOf } from './imports.ts'
import { isCode, type Gate } from './project.ts'

export const circles: Gate<'circles'> = {
  name: 'circles',
  find(project) {
    const graph = new Map<string, string[]>()
    for (const { from, to } of arrowsOf(project, isCode)) graph.set(from, [...(graph.get(from) ?? []), to])
    return tanglesOf(graph).map((tangle) => ({
      where: tangle[0] ?? '',
      message: `these files import each other in a circle: ${tangle.join(', ')}`,
    }))
  },
}

type Graph = ReadonlyMap<string, readonly string[]>

/** Groups of nodes that all reach each other (Tarjan), each sorted. A node alone counts when it points at itself. */
export function tanglesOf(graph: Graph): readonly (readonly string[])[] {
  const search = new Search(graph)
  for (const node of graph.keys()) if (!search.hasSeen(node)) search.visit(node)
  return search.groups
    .filter((group) => group.length > 1 || graph.get(group[0] ?? '')?.includes(group[0] ?? '') === true)
    .map((group) => group.toSorted())
}

class Search {
  readonly groups: string[][] = []
  readonly #graph: Graph
  readonly #order = new Map<string, number>()
  /** Earliest node on the stack that is reachable. */
  readonly #low = new Map<string, number>()
  readonly #stack: string[] = []

  constructor(graph: Graph) {
    this.#graph = graph
  }

  hasSeen(node: string): boolean {
    return this.#order.has(node)
  }

  visit(node: string): number {
    const place = this.#order.size
    this.#order.set(node, place)
    this.#low.set(node, place)
    this.#stack.push(node)
    for (const next of this.#graph.get(node) ?? []) this.#follow(node, next)
    const low = this.#low.get(node) ?? place
    if (low === place) this.groups.push(this.#stack.splice(this.#stack.indexOf(node)))
    return low
  }

  #follow(node: string, next: string): void {
    const reached = this.hasSeen(next) ? this.#order.get(next) : this.visit(next)
    if (reached === undefined || !this.#stack.includes(next)) return
    this.#low.set(node, Math.min(this.#low.get(node) ?? reached, reached))
  }
}
