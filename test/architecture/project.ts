/** The tree as the gates see it: paths and texts, so that a planted tree can stand in for the real one. */
import path from 'node:path'
import ts from 'typescript'

/** Path from the root of the repository, with `/`, to the text of the file. */
export type FileMap = ReadonlyMap<string, string>

export interface Project {
  /** Texts of the files whose kind the gates can read. */
  readonly files: FileMap
  /** Every path, also of files that are not text. */
  readonly paths: ReadonlySet<string>
  /** The parsed file. @throws {TypeError} for a path that is not in `files` */
  readonly treeOf: (path: string) => ts.SourceFile
}

export interface Problem {
  /** Stable name of the place, for the allow-list: a path, or `path#function`. */
  readonly where: string
  /** 1 for the first line; absent where the whole file is meant. */
  readonly line?: number
  readonly message: string
}

export interface Gate<Name extends string = string> {
  readonly name: Name
  readonly find: (project: Project) => readonly Problem[]
}

/** @param otherPaths files that exist and whose text is not known */
export function projectOf(files: FileMap, otherPaths: readonly string[] = []): Project {
  const trees = new Map<string, ts.SourceFile>()
  return {
    files,
    paths: new Set([...files.keys(), ...otherPaths]),
    treeOf(path) {
      const known = trees.get(path)
      if (known !== undefined) return known
      const text = files.get(path)
      if (text === undefined) throw new TypeError(`there is no text of ${path} in this project`)
      const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
      trees.set(path, tree)
      return tree
    },
  }
}

/** Published sources and their tests. */
const sources = /^packages\/[^/]+\/src\//

const codeFolders = ['packages/', 'test/', 'examples/', 'bench/']

/** TypeScript that people of this project write: sources, tests, examples, benchmarks. */
export function isCode(path: string): boolean {
  const isTypeScript = /\.tsx?$/.test(path) && !path.endsWith('.d.ts')
  return isTypeScript && !path.includes('/fixtures/') && codeFolders.some((folder) => path.startsWith(folder))
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.startsWith('test/')
}

/** Of a package: sources and the tests beside them. */
export function isPublished(path: string): boolean {
  return sources.test(path)
}

/** Published sources, tests apart. */
export function isSource(path: string): boolean {
  return isPublished(path) && isCode(path) && !isTest(path)
}

export function pathsOf(project: Project, accepts: (path: string) => boolean): readonly string[] {
  return [...project.files.keys()].filter(accepts).toSorted()
}

export function lineOf(node: ts.Node): number {
  const tree = node.getSourceFile()
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
}

const knownNodes = new WeakMap<ts.Node, readonly ts.Node[]>()

/** Every node below, the node itself first. Of a whole file the list is kept: every gate asks for it. */
export function nodesOf(node: ts.Node): readonly ts.Node[] {
  const known = knownNodes.get(node)
  if (known !== undefined) return known
  const found: ts.Node[] = []
  const visit = (next: ts.Node): void => {
    found.push(next)
    next.forEachChild(visit)
  }
  visit(node)
  if (ts.isSourceFile(node)) knownNodes.set(node, found)
  return found
}

/** A gate that looks at every node of the accepted files and says what is wrong with it, if anything. */
export function nodeGate<Name extends string>(
  name: Name,
  accepts: (path: string) => boolean,
  complaintOf: (node: ts.Node, tree: ts.SourceFile) => string | undefined,
): Gate<Name> {
  return {
    name,
    find: (project) =>
      pathsOf(project, accepts).flatMap((where) => {
        const tree = project.treeOf(where)
        return [...nodesOf(tree)].flatMap((node) => {
          const message = complaintOf(node, tree)
          return message === undefined ? [] : [{ where, line: lineOf(node), message }]
        })
      }),
  }
}

export function folderOf(file: string): string {
  return path.posix.dirname(file)
}
