/** A chain of members and calls, such as `expect(a).not.toBe(b)`, from its root outwards. */
import { constantOf, type Names } from './names.ts'
import { asCall, asMember, bare, isFunction, type Argument, type SyntaxNode } from '../../source/index.ts'

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

export function chainOf(outermost: SyntaxNode, names: Names): Chain {
  const links: Link[] = []
  let node = bare(outermost)
  for (;;) {
    const call = asCall(node)
    const member = asMember(call === undefined ? node : bare(call.callee))
    if (member !== undefined) {
      const { property } = member
      const key = member.computed
        ? constantOf(property, names)
        : property.type === 'Identifier'
          ? property.name
          : undefined
      links.push({ name: typeof key === 'string' ? key : undefined, args: call?.arguments, node })
      node = bare(member.object)
    } else if (call !== undefined) {
      links.push({ name: undefined, args: call.arguments, node })
      node = bare(call.callee)
    } else return { root: node, links: links.reverse() }
  }
}

/** A chain whose root was followed through variables. */
export interface ResolvedChain extends Chain {
  /** A condition chose between several; the first of them stands here. */
  readonly isChosen: boolean
}

/** `const t = it.skip`, `const eq = assert.equal`, `(isSlow ? it.skip : it)`: one way is followed, and never more. */
export function resolveChain(outermost: SyntaxNode, names: Names): ResolvedChain {
  let chain: ResolvedChain = { ...chainOf(outermost, names), isChosen: false }
  for (let depth = 0; depth < 8; depth += 1) {
    const { root, links } = chain
    const value = valueOf(root, names)
    if (value === undefined || isFunction(value)) break
    const target = chainOf(value, names)
    const last = target.links.at(-1)
    const [first, ...rest] = links
    if (!/^(?:Identifier|ConditionalExpression)$/u.test(target.root.type)) break
    const isCalledAtOnce =
      first !== undefined && first.name === undefined && last !== undefined && last.args === undefined
    chain = {
      root: target.root,
      links: isCalledAtOnce
        ? [...target.links.slice(0, -1), { ...first, name: last.name }, ...rest]
        : [...target.links, ...links],
      isChosen:
        chain.isChosen ||
        (root.type === 'ConditionalExpression' && constantOf(root.test, names) === undefined),
    }
  }
  return chain
}

function valueOf(root: SyntaxNode, names: Names): SyntaxNode | undefined {
  if (root.type === 'Identifier') return names.values.get(root.name)
  if (root.type !== 'ConditionalExpression') return undefined
  return constantOf(root.test, names) === false ? root.alternate : root.consequent
}
