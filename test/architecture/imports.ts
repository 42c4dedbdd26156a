/** What a file imports, in every way that TypeScript has, and which file that is. */
import path from 'node:path'
import ts from 'typescript'
import { folderOf, isSource, lineOf, nodesOf, pathsOf, type Project } from './project.ts'
import { doorOf, packageNames } from './rooms.ts'

export interface Import {
  readonly specifier: string
  readonly line: number
}

const knownImports = new WeakMap<ts.SourceFile, readonly Import[]>()

/** Static, type-only, re-exported, dynamic with a literal, `import('x').T` and `require`: types count. Several gates ask for them. */
export function importsOf(tree: ts.SourceFile): readonly Import[] {
  const known = knownImports.get(tree)
  if (known !== undefined) return known
  const imports = nodesOf(tree).flatMap((node) => {
    const literal = specifierOf(node)
    return literal === undefined ? [] : [{ specifier: literal.text, line: lineOf(node) }]
  })
  knownImports.set(tree, imports)
  return imports
}

function specifierOf(node: ts.Node): ts.StringLiteralLike | undefined {
  const expression = expressionOf(node)
  return expression !== undefined && ts.isStringLiteralLike(expression) ? expression : undefined
}

function expressionOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isExternalModuleReference(node)) return node.expression
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
  if (!ts.isCallExpression(node)) return undefined
  const { expression } = node
  const isImport = expression.kind === ts.SyntaxKind.ImportKeyword
  const isRequire = ts.isIdentifier(expression) && expression.text === 'require'
  return isImport || isRequire ? node.arguments[0] : undefined
}

/** The file of this project that is meant; undefined for packages, and for paths that lead nowhere. */
export function resolveImport(project: Project, from: string, specifier: string): string | undefined {
  const target = specifier.startsWith('.')
    ? path.posix.join(folderOf(from), specifier)
    : targetOfSubpath(specifier.replace(/^@donecheck\//, ''))
  if (target === undefined) return undefined
  const bare = target.replace(/\.js$/, '')
  return [target, `${bare}.ts`, `${bare}.tsx`, `${bare}/index.ts`].find((file) => project.files.has(file))
}

/** `engine/verify` → the index of that room, `engine/internal/system/store` → that folder; undefined for packages of others. */
function targetOfSubpath(name: string): string | undefined {
  const [packageName = '', ...inside] = name.split('/')
  if (!packageNames.some((known) => known === packageName)) return undefined
  const [first, ...folders] = inside
  return first === 'internal' ? `packages/${packageName}/src/${folders.join('/')}` : doorOf(name)
}

/** Name of a package without its subpath; undefined for relative paths. */
export function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('.')) return undefined
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}

export interface Arrow {
  readonly from: string
  readonly to: string
  readonly line: number
}

/** Every import of an accepted file that leads to a file of the project. */
export function arrowsOf(project: Project, accepts: (path: string) => boolean = isSource): readonly Arrow[] {
  return pathsOf(project, accepts).flatMap((from) =>
    importsOf(project.treeOf(from)).flatMap(({ specifier, line }) => {
      const to = resolveImport(project, from, specifier)
      return to === undefined ? [] : [{ from, to, line }]
    }),
  )
}
