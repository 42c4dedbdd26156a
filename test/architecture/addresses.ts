/** Nothing in the tree may depend on where it was written. */
import { pathsOf, type Gate } from './project.ts'

const registryHosts =
  /\b(?:registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.pkg\.github\.com|registry\.npmmirror\.com|npm\.jsr\.io|pypi\.org|index\.crates\.io|proxy\.golang\.org|[\w-]*(?:artifactory|verdaccio|nexus)[\w-]*\.[\w-]+\.[a-z]{2,})\b/i

/** A path from the root of a disk; `lib/work/` and `${folder}/work/` are none. */
const machinePaths = /(?<![\w.})\]\-/])\/(?:work|root)\/[\w.]/

/** No host of a package registry, no path of somebody's machine. */
export const addresses: Gate<'addresses'> = {
  name: 'addresses',
  find: (project) =>
    pathsOf(project, () => true).flatMap((where) =>
      (project.files.get(where) ?? '').split('\n').flatMap((text, index) => {
        const found = registryHosts.exec(text) ?? machinePaths.exec(text)
        return found === null
          ? []
          : [{ where, line: index + 1, message: `"${found[0]}" belongs to one machine` }]
      }),
    ),
}

export const lockPath = 'package-lock.json'

/** Workspaces may be resolved to a folder, packages to no address at all. */
export const lockFile: Gate<'lock-file'> = {
  name: 'lock-file',
  find(project) {
    const text = project.files.get(lockPath)
    if (text === undefined) return [{ where: lockPath, message: 'there is no lock file' }]
    return text.split('\n').flatMap((line, index) => {
      const isAddress = /"resolved":\s*"[\w+.-]+:/.test(line)
      return isAddress
        ? [{ where: lockPath, line: index + 1, message: 'a package is resolved to an address' }]
        : []
    })
  },
}
