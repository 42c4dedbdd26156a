/** Packages of Node in the tree that only tests import: what they say is part of the question, wherever they lie. */
import { nameSays } from '../place/by-name.ts'
import { jsonFields, fieldsOf } from './json-fields.ts'
import type { ReadableTree } from '../request.ts'
import { nodeOf } from './nodes.ts'
import type { PathIndex } from './path-index.ts'
import { foldersAround, folderOf, isWithin, join } from './paths.ts'

export interface Importers {
  readonly checkFiles: readonly string[]
  readonly sources: readonly string[]
}

/** The folder of the innermost package around a path. Undefined: it belongs to no package but the work folder's own. */
export function packageAround(path: string, { manifests }: PathIndex): string | undefined {
  return foldersAround(folderOf(path)).find((folder) => folder !== '' && manifests.has(folder))
}

/**
 * Folders of packages that files outside of them import, all of them tests or other such packages. A package that has tests of its
 * own, that a manifest names for its product, or that imports a source of the product is what tests ask about. So is one whose tests
 * reach nothing else of the product.
 */
export function packagesOfTests(index: PathIndex, { checkFiles, sources }: Importers): ReadonlySet<string> {
  const needed = namesForProduct(index)
  const isAsked = (folder: string): boolean =>
    [...index.tree.paths()].some((path) => isWithin(path, folder) && isTest(path)) ||
    needed.has(nameOfPackage(folder, index.tree))
  const folders = [...index.manifests.keys()].filter((folder) => folder !== '' && !isAsked(folder))
  if (folders.length === 0) return new Set()
  const checks = new Set(checkFiles)
  const files = [...new Set([...checkFiles, ...sources])]
  const targetsOf = (path: string): readonly string[] => nodeOf(path, index).targets
  const found = new Set(folders)
  const isOfTests = (path: string): boolean => [...found].some((folder) => isWithin(path, folder))
  const isProduct = (path: string): boolean => !checks.has(path) && !isOfTests(path)
  const belongs = (folder: string): boolean => {
    const importers = files.filter(
      (file) => !isWithin(file, folder) && targetsOf(file).some((target) => isWithin(target, folder)),
    )
    const own = files.filter((file) => isWithin(file, folder))
    return (
      importers.some((file) => isOfTests(file) || targetsOf(file).some(isProduct)) &&
      !importers.some(isProduct) &&
      !own.some((file) => targetsOf(file).some(isProduct))
    )
  }
  // What is left out may be what vouches for another one.
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const folder of found) if (!belongs(folder)) found.delete(folder)
  }
  return found
}

function isTest(path: string): boolean {
  const says = nameSays(path)
  return says.kind !== 'plain' && says.reason === 'test'
}

/** Undefined: its manifest names none. */
export function nameOfPackage(folder: string, tree: ReadableTree): unknown {
  return jsonFields(tree.text(join(folder, 'package.json'))).find(([key]) => key === 'name')?.[1]
}

const productKeys = new Set(['dependencies', 'optionalDependencies', 'peerDependencies'])

function namesForProduct({ tree, manifests }: PathIndex): ReadonlySet<unknown> {
  return new Set(
    [...manifests.keys()].flatMap((folder) =>
      jsonFields(tree.text(join(folder, 'package.json')))
        .filter(([key]) => productKeys.has(key))
        .flatMap(([, value]) => fieldsOf(value).map(([name]) => name)),
    ),
  )
}
