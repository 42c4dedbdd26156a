/** Names of runners that are put together, and places where only a runner leaves something to be found. */
import {
  type SourceText,
  pathOf,
  stringOf,
  bare,
  childrenOf,
  lineOf,
  type SyntaxNode,
  isFunction,
  type FunctionNode,
} from './javascript-syntax.ts'
import type { Trace } from './trace.ts'

const runnerNames = /vitest|jest|mocha|node:test|^(?:node:)?assert(?:\/strict)?$/iu
const runnerGlobals = /^(?:expect|assert|chai|describe|it|test|jest|vi|mocha|sinon|__vitest\w*|__jest\w*)$/u
const testPlaces = /^(?:\.\/)?(?:tests?|specs?|__tests__)(?:\/|$)|\.(?:test|spec)\.[cm]?[jt]sx?$/u
const loading = /(?:^|\.)(?:require|createRequire|getBuiltinModule)$/u

export function hiddenTracesAt(node: SyntaxNode, source: SourceText): readonly Trace[] {
  const traceOf = (rule: Trace['rule']): readonly Trace[] => [
    { rule, line: lineOf(node), text: source.of(node) },
  ]
  if (patchesWhatItLoads(node)) return traceOf('source.patches-runner')
  return isPutTogether(node) || asksGlobals(node) || asksFiles(node) || readsParent(node)
    ? traceOf('source.test-aware')
    : []
}

/** `Object.keys(globalThis)`: all that a runner may have left there. */
export function isListOfGlobals(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression') return false
  const [target] = node.arguments
  return (
    /^(?:Object\.(?:keys|entries|getOwnPropertyNames)|Reflect\.ownKeys)$/u.test(
      pathOf(node.callee).join('.'),
    ) &&
    target !== undefined &&
    isGlobal(target)
  )
}

function isGlobal(node: SyntaxNode): boolean {
  return /^(?:globalThis|global)$/u.test(pathOf(node).join('.'))
}

/** `createRequire(url)('assert').equal = …`, with a name of any making. */
function patchesWhatItLoads(node: SyntaxNode): boolean {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return false
  const root = rootOf(node.left)
  if (root.type !== 'CallExpression') return false
  const [module] = root.arguments
  const { callee } = root
  const loader = callee.type === 'CallExpression' ? callee.callee : callee
  return (
    module !== undefined && loading.test(pathOf(loader).join('.')) && runnerNames.test(stringOf(module) ?? '')
  )
}

function rootOf(node: SyntaxNode): SyntaxNode {
  const at = bare(node)
  return at.type === 'MemberExpression' ? rootOf(at.object) : at
}

/** Longer sums hold no name. Characters. */
const maxPieces = 200

/** `'vi' + 'test'`: nobody cuts such a name in pieces but to hide it. */
function isPutTogether(node: SyntaxNode): boolean {
  if ((node.end ?? 0) - (node.start ?? 0) > maxPieces) return false
  const pieces =
    node.type === 'BinaryExpression' && node.operator === '+'
      ? [node.left, node.right]
      : node.type === 'CallExpression' &&
          node.callee.type === 'MemberExpression' &&
          node.callee.object.type === 'ArrayExpression'
        ? node.callee.object.elements
        : []
  const whole = pieces.length === 0 ? undefined : stringOf(node)
  if (whole === undefined || whole.length > 40 || whole.includes(' ') || !runnerNames.test(whole))
    return false
  return !pieces.some(
    (piece) => piece !== null && /vitest|jest|mocha|node:test/iu.test(stringOf(piece) ?? ''),
  )
}

/** `'expect' in globalThis`; of `import.meta` only by a name that is put together. */
function asksGlobals(node: SyntaxNode): boolean {
  if (node.type !== 'BinaryExpression' || node.operator !== 'in') return false
  const name = stringOf(node.left)
  if (isGlobal(node.right)) return name !== undefined && runnerGlobals.test(name)
  if (pathOf(node.right).join('.') !== 'import.meta') return false
  return name === 'vitest' || (name !== undefined && bare(node.left).type !== 'StringLiteral')
}

/** Whether a file of the tests is there. */
function asksFiles(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression') return false
  const [target] = node.arguments
  return (
    /^(?:existsSync|statSync|lstatSync|accessSync)$/u.test(pathOf(node.callee).at(-1) ?? '') &&
    target !== undefined &&
    testPlaces.test(stringOf(target) ?? '')
  )
}

/** What the process that started this one was called with. */
function readsParent(node: SyntaxNode): boolean {
  return (
    node.type === 'TemplateLiteral' &&
    (node.quasis[0]?.value.raw ?? '').startsWith('/proc/') &&
    childrenOf(node).some((one) => pathOf(one).join('.') === 'process.ppid')
  )
}

/** Asked by matchers, containers and operators whether two values are the same. */
const comparing = /^(?:equals?|isEqual|isEqualTo|deepEqual|eq|isSame|\[Symbol\.hasInstance\])$/u
const primitive = /^(?:toJSON|valueOf|\[Symbol\.toPrimitive\])$/u

export function equalityAt(node: SyntaxNode, source: SourceText): readonly Trace[] {
  const name = memberName(node, source)
  const method = name === undefined ? undefined : functionOf(node)
  const isBlind =
    name === 'asymmetricMatch' ||
    (method !== undefined &&
      ((comparing.test(name ?? '') && isTrue(method)) ||
        (primitive.test(name ?? '') && isPrimitive(returnedValue(method))))) ||
    answersEverything(node, source)
  return isBlind ? [{ rule: 'source.equality-blind', line: lineOf(node), text: source.of(node) }] : []
}

function memberName(node: SyntaxNode, source: SourceText): string | undefined {
  if (node.type === 'AssignmentExpression') {
    const { left } = node
    return left.type === 'MemberExpression' && !left.computed ? source.of(left.property) : undefined
  }
  const isMember =
    node.type === 'ObjectMethod' ||
    node.type === 'ClassMethod' ||
    node.type === 'ObjectProperty' ||
    node.type === 'ClassProperty'
  if (!isMember) return undefined
  return node.computed ? `[${source.of(node.key)}]` : source.of(node.key)
}

function functionOf(node: SyntaxNode): FunctionNode | undefined {
  if (isFunction(node)) return node
  const value =
    node.type === 'AssignmentExpression'
      ? node.right
      : node.type === 'ObjectProperty' || node.type === 'ClassProperty'
        ? node.value
        : null
  const held = value ? bare(value) : undefined
  return isFunction(held) ? held : undefined
}

/** What a function does nothing but return. */
function returnedValue({ body }: FunctionNode): SyntaxNode | undefined {
  if (body.type !== 'BlockStatement') return bare(body)
  const [only, ...more] = body.body
  return only?.type === 'ReturnStatement' && more.length === 0 && only.argument
    ? bare(only.argument)
    : undefined
}

function isTrue(method: FunctionNode): boolean {
  const value = returnedValue(method)
  return value?.type === 'BooleanLiteral' && value.value
}

function isPrimitive(value: SyntaxNode | undefined): boolean {
  return value !== undefined && /^(?:String|Numeric|Boolean)Literal$/u.test(value.type)
}

/** `new Proxy(target, { get: () => answer })`, whatever it is asked for. */
function answersEverything(node: SyntaxNode, source: SourceText): boolean {
  if (node.type !== 'NewExpression' || source.of(node.callee) !== 'Proxy') return false
  const [, handler] = node.arguments
  if (handler?.type !== 'ObjectExpression') return false
  return handler.properties.some((property) => {
    const get = memberName(property, source) === 'get' ? functionOf(property) : undefined
    if (get === undefined) return false
    const asked = get.params[1]
    return asked?.type !== 'Identifier' || !mentions(get.body, asked.name)
  })
}

function mentions(node: SyntaxNode, name: string): boolean {
  return (
    (node.type === 'Identifier' && node.name === name) ||
    childrenOf(node).some((child) => mentions(child, name))
  )
}

/** Endings of code that is read by these rules, of data that stay data, and of what bundlers take care of. */
const known =
  /\.(?:[cm]?[jt]sx?|json[c5]?|node|wasm|css|s[ac]ss|less|styl|pcss|vue|svelte|astro|mdx?|html?|svg|png|jpe?g|gif|webp|avif|ico|bmp|mp[34]|webm|ogg|wav|pdf|woff2?|ttf|otf|eot|ya?ml|toml|graphql|gql|glsl|vert|frag|wgsl|proto|sql|hbs|ejs|pug)$/iu
/** Endings of data: `require` runs such a file as code, where a name like `./price.service` leaves out `.js`. */
const data = /\.(?:dat|data|bin|txt|log|te?mp|cfg|conf|ini|bak|old|orig|cache|map|lock|csv|out|blob)$/iu

/** `written`: the paths that this run wrote; a name without a known ending is one of them or a module of that name. */
export function dataLoadsAt(node: SyntaxNode, path: string, written: ReadonlySet<string>): readonly Trace[] {
  const name = loadedName(node)
  if (name === undefined || !/^\.\.?\/./u.test(name) || known.test(name)) return []
  const isRequired = node.type === 'CallExpression' && node.callee.type !== 'Import'
  return (isRequired && data.test(name)) || written.has(resolvePath(path, name))
    ? [{ rule: 'source.unreadable', line: lineOf(node), text: name }]
    : []
}

function loadedName(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
    case 'ImportExpression':
      return node.source ? stringOf(node.source) : undefined
    case 'CallExpression': {
      const [name] = node.arguments
      const isLoading = node.callee.type === 'Import' || pathOf(node.callee).at(-1) === 'require'
      return isLoading && name !== undefined ? stringOf(name) : undefined
    }
    default:
      return undefined
  }
}

function resolvePath(path: string, name: string): string {
  const parts = path.split('/').slice(0, -1)
  for (const part of name.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
