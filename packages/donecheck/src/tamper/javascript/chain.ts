/** A chain of members and calls, such as `expect(a).not.toBe(b)`, from its root outwards. */
import { memberName } from './declarator.ts'
import type { Known } from './constant.ts'
import { asCall, asMember, bare, type Argument, type SyntaxNode } from './syntax.ts'

export interface Link {
  /** Undefined: what stands before is called directly, or the name is not known. */
  readonly name: string | undefined
  /** Undefined: it is not called. */
  readonly args: readonly Argument[] | undefined
  /** Everything up to this link. */
  readonly node: SyntaxNode
}

export interface Chain {
  readonly root: SyntaxNode
  readonly links: readonly Link[]
}

export function chainOf(outermost: SyntaxNode, known: Known): Chain {
  const links: Link[] = []
  let node = bare(outermost)
  for (;;) {
    const call = asCall(node)
    const member = asMember(call === undefined ? node : bare(call.callee))
    if (member !== undefined) {
      links.push({ name: memberName(member, known), args: call?.arguments, node })
      node = bare(member.object)
    } else if (call !== undefined) {
      links.push({ name: undefined, args: call.arguments, node })
      node = bare(call.callee)
    } else return { root: node, links: links.reverse() }
  }
}
