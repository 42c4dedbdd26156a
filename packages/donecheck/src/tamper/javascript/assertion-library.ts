/** Which library of assertions a chain starts from. */
import { chainOf, type Chain, type Link } from './chain.ts'
import type { DeclaratorContext } from './declarator.ts'
import { isContextMethod } from './matcher-strength.ts'
import type { SyntaxNode } from './syntax.ts'

export type Library = 'expect' | 'assert'

export interface LibraryChain {
  readonly library: Library
  /** Without what leads to the library: the first is the call of it, or its method. */
  readonly links: readonly Link[]
}

const expectNames = /^(expect|expectTypeOf|assertType|expectType)$/
const assertModules =
  /^(node:)?assert(\/strict)?$|^(power-assert|uvu\/assert|chai|earl|@std\/assert|zora)$|\bassert(s|ions)?(\.ts|\/mod\.ts)?$/

function renamed(links: readonly Link[], name: string): readonly Link[] {
  const [first, ...rest] = links
  return first === undefined ? [] : [{ ...first, name }, ...rest]
}

function ofImported(from: string, name: string, links: readonly Link[]): LibraryChain | undefined {
  if (expectNames.test(name) || (from === 'expect' && name === 'default')) return { library: 'expect', links }
  if (name === 'assert') return { library: 'assert', links }
  if (!assertModules.test(from)) return undefined
  if (name === 'strict' || name === 'default' || name === '*') return { library: 'assert', links }
  // `import { strictEqual } from 'node:assert'`: the function itself is called.
  return { library: 'assert', links: renamed(links, name) }
}

/** `chai.expect(a)`, `t.assert.equal(a, b)` */
function ofHeld(first: Link, rest: readonly Link[]): LibraryChain | undefined {
  if (first.name === 'expect' && first.args !== undefined)
    return { library: 'expect', links: [{ ...first, name: undefined }, ...rest] }
  if (first.args !== undefined || rest.length === 0) return undefined
  if (first.name === 'expect') return { library: 'expect', links: rest }
  return first.name === 'assert' ? { library: 'assert', links: rest } : undefined
}

function ofName(name: string, links: readonly Link[], context: DeclaratorContext): LibraryChain | undefined {
  const imported = context.bindings.imports.get(name)
  const [first] = links
  const isHolder =
    context.testContexts.has(name) || imported?.name === '*' || /^(chai|globalThis|global|vitest)$/.test(name)
  const held = isHolder && first?.name !== undefined ? ofHeld(first, links.slice(1)) : undefined
  if (held !== undefined) return held
  const found = imported && ofImported(imported.from, imported.name, links)
  if (found !== undefined) return found
  if (expectNames.test(name)) return { library: 'expect', links }
  if (/^(assert|should)$/.test(name))
    return { library: name === 'should' && first?.name === undefined ? 'expect' : 'assert', links }
  if (context.testContexts.has(name) && first?.name !== undefined && isContextMethod(first.name))
    return { library: 'assert', links }
  return undefined
}

/** `const check = expect`, `const { equal } = assert`-like names are followed. */
function followed(root: SyntaxNode, context: DeclaratorContext): Chain | undefined {
  if (root.type !== 'Identifier') return undefined
  const value = context.bindings.values.get(root.name)
  if (value === undefined || !/^(Identifier|MemberExpression)$/.test(value.type)) return undefined
  return chainOf(value, context)
}

export function libraryOf(
  { root, links }: Chain,
  context: DeclaratorContext,
  depth = 0,
): LibraryChain | undefined {
  if (root.type !== 'Identifier' || links.length === 0 || depth > 5) return undefined
  const target = followed(root, context)
  if (target === undefined) return ofName(root.name, links, context)
  const [first, ...rest] = links
  const last = target.links.at(-1)
  // `const eq = assert.equal`, then `eq(a, b)`
  if (last !== undefined && first?.name === undefined && first !== undefined)
    return libraryOf(
      { root: target.root, links: [...target.links.slice(0, -1), { ...first, name: last.name }, ...rest] },
      context,
      depth + 1,
    )
  return libraryOf({ root: target.root, links: [...target.links, ...links] }, context, depth + 1)
}
