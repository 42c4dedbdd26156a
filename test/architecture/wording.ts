/** Words of the language that are not used here. */
import ts from 'typescript'
import { isCode, nodeGate, pathsOf, type Gate } from './project.ts'

/** Files in which `any` is the honest type of a boundary. */
export const anyFiles: readonly string[] = []

const switchesOff = /^\s*\/[/*]\s*@ts-(?:ignore|nocheck)/m

/** Neither `any`, nor the comments that bring it in silently. */
export const noAny: Gate<'any'> = {
  name: 'any',
  find: (project) => [
    ...anyKeyword.find(project),
    ...pathsOf(project, accepted).flatMap((where) =>
      switchesOff.test(project.files.get(where) ?? '')
        ? [{ where, message: 'the type check is switched off by a comment' }]
        : [],
    ),
  ],
}

const accepted = (path: string) => isCode(path) && !anyFiles.includes(path)

const anyKeyword = nodeGate('any', accepted, (node) =>
  node.kind === ts.SyntaxKind.AnyKeyword ? '`any` is outside the named boundary files' : undefined,
)

const isConfig = (path: string) => /\.config\.[cm]?[jt]s$/.test(path)

/** Runners want a default export of their configuration; nobody else gets one. */
export const noDefaultExport = nodeGate(
  'default-export',
  (path) => isCode(path) && !isConfig(path),
  (node) => {
    const isDefault =
      ts.isExportAssignment(node) ||
      node.kind === ts.SyntaxKind.DefaultKeyword ||
      (ts.isExportSpecifier(node) && node.name.text === 'default')
    return isDefault ? 'a default export has no name; give it one' : undefined
  },
)

/** `value!`, and `name!: Type` too. */
export const noNonNull = nodeGate('non-null', isCode, (node) => {
  const promises =
    ts.isNonNullExpression(node) ||
    ((ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) &&
      node.exclamationToken !== undefined)
  return promises ? 'an exclamation mark proves nothing; check the value' : undefined
})

export const noStarExport = nodeGate('star-export', isCode, (node) => {
  const isStar =
    ts.isExportDeclaration(node) &&
    (node.exportClause === undefined || ts.isNamespaceExport(node.exportClause))
  return isStar ? 'a star exports what nobody chose; name the exports' : undefined
})
