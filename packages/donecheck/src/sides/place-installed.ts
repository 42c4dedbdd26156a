/** Installed dependencies that lie in the tree. */
import { nameSays } from './by-name.ts'
import { placed } from './placed.ts'
import type { Project } from './project.ts'
import { isAssertionLibrary } from './references/assertion-libraries.ts'
import type { Placement } from './request.ts'
import { join } from './tree/paths.ts'

const ofNode = /(?:^|\/)node_modules\/(.+)$/u
const ofVendor = /^(|.*\/)vendor\/(.+)$/u

/**
 * Undefined: it is no installed dependency. An assertion library is check side whatever else changed; another one travels
 * with the lock file that records it.
 */
export function placeInstalled(path: string, project: Project): Placement | undefined {
  const [, folder = '', vendored] = ofVendor.exec(path) ?? []
  const isVendored =
    vendored !== undefined &&
    ['go.mod', 'composer.json'].some((name) => isIn(join(folder.slice(0, -1), name), project))
  const name = ofNode.exec(path)?.[1] ?? (isVendored ? vendored : undefined)
  if (name === undefined) return undefined
  const isAsking = isAssertionLibrary(name, isVendored ? 'go' : 'javascript')
  return placed(path, !isAsking && isLockChanged(project) ? 'dependencies' : 'installed-dependency')
}

function isIn(path: string, { request }: Project): boolean {
  return request.baseline.has(path) || request.delivered.has(path)
}

function isLockChanged({ changed }: Project): boolean {
  return [...changed].some((path) => {
    const says = nameSays(path)
    return says.kind === 'settled' && says.reason === 'dependencies'
  })
}
