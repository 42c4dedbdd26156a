import type { Mutation } from '../mutation.ts'
import { literalFaults } from './literals.ts'
import { operatorFaults } from './operators.ts'
import { statementFaults } from './statements.ts'
import { childrenOf, type JavaScript, type SyntaxNode } from './syntax.ts'
import { isForPeople } from './wording.ts'

interface Place {
  readonly node: SyntaxNode
  /** Words for people only: what an error or a log says is seldom checked, and need not be. */
  readonly isWording: boolean
}

/** Every fault that could be planted, in the order of the source. */
export function javaScriptMutations(source: JavaScript): readonly Mutation[] {
  const mutations: Mutation[] = []
  const waiting: Place[] = [{ node: source.program, isWording: false }]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { node } = place
    const isWording = place.isWording || isForPeople(node)
    if (!isWording)
      mutations.push(
        ...operatorFaults(node, source),
        ...statementFaults(node, source),
        ...literalFaults(node, source),
      )
    for (const child of childrenOf(node).toReversed()) waiting.push({ node: child, isWording })
  }
  return mutations
}
