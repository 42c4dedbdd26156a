/** Earlier modules of JavaScript in a package that is of another module system now: what has Node read them as it did. */
import { nameSays } from '../place/by-name.ts'
import type { ReadableTree } from '../request.ts'
import { jsonFields } from '../tree/json-fields.ts'
import { folderOf, foldersAround, isWithin, join } from '../tree/paths.ts'

export interface ModuleTypes {
  /** Path of a manifest that is laid in a folder of tests → its text. */
  readonly manifests: ReadonlyMap<string, string>
  /** Path of an earlier file → the path whose ending says how it is read, where its folder holds sources of the product too. */
  readonly renames: ReadonlyMap<string, string>
}

const ending = /\.([jt]sx?)$/u

/** @param paths earlier files of the check side that are laid again */
export function keepModuleTypes(
  paths: readonly string[],
  baseline: ReadableTree,
  delivered: ReadableTree,
): ModuleTypes {
  const manifests = new Map<string, string>()
  const renames = new Map<string, string>()
  for (const path of paths) {
    const folder = folderOf(path)
    const earlier = typeIn(folder, baseline)
    if (!ending.test(path) || earlier === typeIn(folder, delivered)) continue
    if (holdsProduct(folder, delivered))
      renames.set(path, path.replace(ending, `.${isModule(earlier, baseline.text(path)) ? 'm' : 'c'}$1`))
    else if (!delivered.has(join(folder, 'package.json')))
      manifests.set(
        join(folder, 'package.json'),
        JSON.stringify(earlier === undefined ? {} : { type: earlier }),
      )
  }
  return { manifests, renames }
}

/** As the nearest manifest says. Undefined: it does not say. */
function typeIn(folder: string, tree: ReadableTree): string | undefined {
  const manifest = foldersAround(folder)
    .map((around) => join(around, 'package.json'))
    .find((path) => tree.has(path))
  const type = jsonFields(tree.text(manifest ?? '')).find(([key]) => key === 'type')?.[1]
  return typeof type === 'string' ? type : undefined
}

/** Without a type Node looks at the words. */
function isModule(type: string | undefined, text: string | null): boolean {
  return type === undefined ? /^\s*(?:import|export)\b/mu.test(text ?? '') : type === 'module'
}

function holdsProduct(folder: string, tree: ReadableTree): boolean {
  for (const path of tree.paths())
    if (isWithin(path, folder) && ending.test(path) && nameSays(path).kind === 'plain') return true
  return false
}
