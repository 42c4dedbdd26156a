/** Which calls declare a test, a suite or a hook, and how it is marked. */
import type { SkipKind } from '../facts.ts'
import { chainOf, resolveChain, type Link } from './chain.ts'
import { constantOf, type Names } from './names.ts'
import {
  asCall,
  bare,
  childrenOf,
  isFunction,
  type AnyCall,
  type FunctionNode,
  type SyntaxNode,
  type TemplateLiteral,
} from '../../source/index.ts'
import { markOf, plainMembers, runnerObjects, runnerWords, worstSkip, type RunnerWord } from './words.ts'

interface Word extends RunnerWord {
  /** Normalised source of each row of its table; null: it has none that can be counted; undefined: it is no table. */
  readonly rows?: readonly string[] | null
}

export interface Declaration extends Word {
  readonly title: string
  readonly body: FunctionNode | undefined
}

/** Functions of the file that declare a test for their caller, and what they declare. */
export type Wrappers = ReadonlyMap<string, RunnerWord>

export function wrappersIn(names: Names): Wrappers {
  return new Map(
    [...names.functions].flatMap(([name, { params, body }]) => {
      const [first] = params
      const title = first?.type === 'RestElement' ? first.argument : first
      if (title?.type !== 'Identifier') return []
      const call = callsIn(body).find(
        ({ arguments: [given] }) => given !== undefined && takes(given, title.name),
      )
      const word = call && declaredBy(call, names, new Map())
      return word === undefined || word.kind === 'hook' ? [] : [[name, word]]
    }),
  )
}

/** Without those of named functions inside. */
function callsIn(node: SyntaxNode): readonly AnyCall[] {
  const calls: AnyCall[] = []
  const waiting = [node]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const call = asCall(next)
    if (call !== undefined) calls.push(call)
    if (!isNamedFunction(next)) waiting.push(...childrenOf(next))
  }
  return calls
}

export function isNamedFunction(node: SyntaxNode): boolean {
  if (node.type !== 'VariableDeclarator') return node.type === 'FunctionDeclaration'
  return node.init ? isFunction(bare(node.init)) : false
}

function takes(title: SyntaxNode, name: string): boolean {
  const parts =
    title.type === 'TemplateLiteral'
      ? title.expressions
      : [title.type === 'SpreadElement' ? title.argument : title]
  return parts.some((part) => part.type === 'Identifier' && part.name === name)
}

/** The word that is called; undefined: none. */
function declaredBy(call: AnyCall, names: Names, wrappers: Wrappers): Word | undefined {
  const { root, links, isChosen } = resolveChain(call.callee, names)
  const word = wordOf(root, links, names, wrappers)
  if (word !== undefined) return isChosen ? { ...word, skip: 'conditional' } : word
  // `const test = base.extend({})`: what it is made of is not in this file.
  const plain = chainOf(call.callee, names)
  return isMade(plain.root, names) ? wordOf(plain.root, plain.links, names, wrappers) : undefined
}

/** Undefined: the call declares nothing. */
export function declarationOf(call: AnyCall, names: Names, wrappers: Wrappers): Declaration | undefined {
  const word = declaredBy(call, names, wrappers)
  if (word === undefined) return undefined
  const [first, ...rest] = call.arguments
  const options = call.arguments.map(bare).find(({ type }) => type === 'ObjectExpression')
  const body = functionAmong(call, names)
  const title = memberOf(options, 'name') ?? first
  const isTitled = typeof constantOf(title, names) === 'string' || title?.type === 'TemplateLiteral'
  if (body === undefined && (word.kind !== 'test' || !isTitled)) return undefined
  const isPending = body === undefined && rest.length === 0 && memberOf(options, 'fn') === undefined
  const skip = worstSkip([word.skip, skipOf(options, names), isPending ? 'always' : 'none'])
  const isFocused = word.isFocused || isOn(memberOf(options, 'only'), names)
  return { ...word, skip, isFocused, title: titleOf(title, names), body }
}

function isMade(root: SyntaxNode, names: Names): boolean {
  return root.type === 'Identifier' && names.values.get(root.name)?.type === 'CallExpression'
}

function wordOf(
  root: SyntaxNode,
  links: readonly Link[],
  names: Names,
  wrappers: Wrappers,
): Word | undefined {
  if (root.type === 'TaggedTemplateExpression') {
    const chain = resolveChain(root.tag, names)
    const word = wordOf(chain.root, chain.links, names, wrappers)
    return word && { ...word, rows: rowsOfTemplate(root.quasi, names) }
  }
  if (root.type !== 'Identifier') return undefined
  const imported = names.imports.get(root.name)
  const isWhole = runnerObjects.test(root.name) || imported?.name === '*' || imported?.name === 'default'
  const own = wordNamed(root.name, names, wrappers)
  const [held, ...others] = links
  if (own !== undefined) return markWord(own, links, names)
  const member = isWhole && held?.name !== undefined ? runnerWords.get(held.name) : undefined
  if (member === undefined || held === undefined) return undefined
  return markWord(member, held.args === undefined ? others : links, names)
}

function wordNamed(name: string, names: Names, wrappers: Wrappers): RunnerWord | undefined {
  const imported = names.imports.get(name)
  const known = runnerWords.get(name)
  // A file may bring a small runner along.
  if (names.functions.has(name)) return wrappers.get(name) ?? (known?.kind === 'test' ? known : undefined)
  if (imported === undefined) return known
  const isRunner =
    /^(?:node:test|ava|tape|tap)$/u.test(imported.from) && /^(?:default|\*)$/u.test(imported.name)
  return runnerWords.get(imported.name) ?? (isRunner ? runnerWords.get('test') : known)
}

function markWord(word: RunnerWord, links: readonly Link[], names: Names): Word | undefined {
  let so: Word = word
  for (const { name, args } of links) {
    if (name === undefined) return undefined
    const mark = markOf(name)
    const other = runnerWords.get(name)
    if (mark === 'focused') so = { ...so, isFocused: true }
    else if (mark !== undefined) so = { ...so, skip: worstSkip([so.skip, mark]) }
    else if (other !== undefined && args === undefined) so = { ...so, ...other }
    else if (!plainMembers.test(name)) return undefined
    if (args === undefined) continue
    if (/^(?:skipIf|runIf|todoIf|if)$/u.test(name))
      so = { ...so, skip: worstSkip([so.skip, underCondition(name, args[0], names)]) }
    if (/^(?:each|for)$/u.test(name)) so = { ...so, rows: rowsOf(args[0], names) }
  }
  return so
}

function underCondition(word: string, condition: SyntaxNode | undefined, names: Names): SkipKind {
  const constant = constantOf(condition, names)
  if (constant === undefined) return 'conditional'
  return Boolean(constant) === /^(?:runIf|if)$/u.test(word) ? 'none' : 'always'
}

/** Of a table that is a literal, or a variable that holds one. */
function rowsOf(node: SyntaxNode | undefined, names: Names): readonly string[] | null {
  const value = node === undefined ? undefined : bare(node)
  const table = value?.type === 'Identifier' ? names.values.get(value.name) : value
  if (table?.type !== 'ArrayExpression' || table.elements.some((one) => one?.type === 'SpreadElement'))
    return null
  return table.elements.flatMap((element) => (element === null ? [] : [names.source.of(element)]))
}

/** The first line names the columns, each further line with values is a row. */
function rowsOfTemplate({ quasis, expressions }: TemplateLiteral, names: Names): readonly string[] {
  const columns = (quasis[0]?.value.raw ?? '').split('|').length
  const cells = expressions.map((cell) => names.source.of(cell))
  return cells.flatMap((_, index) =>
    index % columns === 0 ? [cells.slice(index, index + columns).join('|')] : [],
  )
}

/** Also within another call: `fakeAsync(() => …)`. */
function functionIn(node: SyntaxNode | undefined, names: Names, depth = 0): FunctionNode | undefined {
  const value = node === undefined ? undefined : bare(node)
  if (value === undefined || depth > 2) return undefined
  if (isFunction(value)) return value
  if (value.type === 'Identifier') return names.functions.get(value.name)
  if (value.type === 'ObjectExpression') return functionIn(memberOf(value, 'fn'), names, depth + 1)
  const call = asCall(value)
  return call && functionAmong(call, names, depth + 1)
}

/** The last of the arguments that is, or brings, a function. */
function functionAmong(call: AnyCall, names: Names, depth = 0): FunctionNode | undefined {
  return call.arguments.map((one) => functionIn(one, names, depth)).findLast((found) => found !== undefined)
}

function memberOf(object: SyntaxNode | undefined, name: string): SyntaxNode | undefined {
  if (object?.type !== 'ObjectExpression') return undefined
  for (const property of object.properties) {
    if (property.type === 'SpreadElement' || property.key.type !== 'Identifier') continue
    if (property.key.name === name) return property.type === 'ObjectMethod' ? property : property.value
  }
  return undefined
}

function isOn(option: SyntaxNode | undefined, names: Names): boolean {
  return option !== undefined && onOf(option, names) !== 'none'
}

/** `skip: ''` and `skip: 'reason'`: a text is a reason. */
function onOf(option: SyntaxNode, names: Names): SkipKind {
  const value = constantOf(option, names)
  return value === undefined ? 'conditional' : value === '' || Boolean(value) ? 'always' : 'none'
}

function skipOf(options: SyntaxNode | undefined, names: Names): SkipKind {
  const skip = ['skip', 'todo', 'ignore', 'fixme'].flatMap((name) => memberOf(options, name) ?? [])[0]
  if (skip !== undefined) return onOf(skip, names)
  return isOn(memberOf(options, 'fails'), names) ? 'expected-to-fail' : 'none'
}

function titleOf(title: SyntaxNode | undefined, names: Names): string {
  if (title === undefined) return ''
  const own = isFunction(title) ? ('id' in title && title.id ? title.id.name : '') : undefined
  return (own ?? String(constantOf(title, names) ?? names.source.of(title))).replaceAll(/\s+/gu, ' ').trim()
}
