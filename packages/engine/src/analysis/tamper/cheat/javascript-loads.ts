/** Files that JavaScript loads as code although their names do not say that they are code. */
import { lineOf, type SyntaxNode } from '../../source/index.ts'
import { pathOf, stringOf } from './javascript-names.ts'
import type { Trace } from './trace.ts'

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
