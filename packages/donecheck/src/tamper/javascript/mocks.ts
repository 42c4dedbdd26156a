/** What a file replaces: modules, and members of what it imports. */
import type { PlacedText } from '../facts.ts'
import { chainOf, type Link } from './chain.ts'
import { constantOf, type Known } from './constant.ts'
import { asMember, bare, lineOf, type SyntaxNode } from './syntax.ts'

const mockers = /^(vi|vitest|jest|mock|mocker|t|ctx|context|sinon|sandbox|td|rewiremock|mockery|test)$/
const moduleWords =
  /^(mock|doMock|setMock|unstable_mockModule|module|registerMock|replace|replaceEsm|createMockFromModule)$/
const memberWords =
  /^(method|getter|setter|property|stub|replace|replaceProperty|replaceGetter|stubGlobal|fake)$/
const settingWords =
  /^(mock(Return|Resolved|Rejected|Implementation)\w*|and\.\w+|returns|resolves|rejects|callsFake|yields|throws)$/
const moduleFunctions = /^(proxyquire|esmock|rewire|mockModule)$/

function at(node: SyntaxNode, text: string): PlacedText {
  return { line: lineOf(node), text }
}

function named(argument: SyntaxNode | undefined, known: Known): string {
  if (argument === undefined) return ''
  const constant = constantOf(argument, known)
  // `vi.mock(import('./add.ts'))`
  const text = constant === undefined ? known.source.of(argument) : String(constant.value)
  return /^import\("(.*)"\)$/.exec(text)?.[1] ?? text
}

/** `vi.spyOn(add, 'sum')` is `add.sum`. */
function memberText(link: Link, known: Known): string {
  const [object, member] = link.args ?? []
  const parts = [named(object, known), named(member, known)]
  return parts.filter((part) => part !== '').join('.')
}

function ofModule(link: Link, known: Known): string | undefined {
  const [first] = link.args ?? []
  if (first === undefined) return undefined
  const isText =
    typeof constantOf(first, known)?.value === 'string' || bare(first).type === 'ImportExpression'
  const isImport = known.source.of(first).startsWith('import(')
  return isText || isImport ? named(first, known) : undefined
}

function ofChain(node: SyntaxNode, known: Known): PlacedText | undefined {
  const { root, links } = chainOf(node, known)
  if (root.type !== 'Identifier') return undefined
  const [first] = links
  if (first?.name === undefined && first?.args !== undefined && moduleFunctions.test(root.name))
    return at(node, named(first.args[0], known))
  if (!mockers.test(root.name)) return undefined
  const isSetTo = links.some(({ name }) => name !== undefined && settingWords.test(name))
  for (const link of links) {
    if (link.name === undefined || link.args === undefined) continue
    const module = moduleWords.test(link.name) ? ofModule(link, known) : undefined
    if (module !== undefined) return at(node, module)
    const isMember = memberWords.test(link.name) && link.args.length > 1
    if (isMember || (/^(spyOn|mocked)$/.test(link.name) && isSetTo)) return at(node, memberText(link, known))
  }
  return undefined
}

/** `add.sum = () => 3` where `add` is imported from this project. */
function ofAssignment(node: SyntaxNode, known: Known): PlacedText | undefined {
  if (node.type !== 'AssignmentExpression' || asMember(node.left) === undefined) return undefined
  const { root, links } = chainOf(node.left, known)
  const imported = root.type === 'Identifier' ? known.bindings.imports.get(root.name) : undefined
  if (
    imported === undefined ||
    !/^[./~@#]/.test(imported.from) ||
    links.some(({ args }) => args !== undefined)
  )
    return undefined
  return at(node, [imported.from, ...links.map(({ name }) => name ?? '[]')].join('.'))
}

/** Undefined: this node replaces nothing. Of a chain each inner call says the same again. */
export function mockAt(node: SyntaxNode, known: Known): PlacedText | undefined {
  return /^(Optional)?CallExpression$/.test(node.type) ? ofChain(node, known) : ofAssignment(node, known)
}
