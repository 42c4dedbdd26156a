import { createRequire } from 'node:module'
import { messageOf, UsageError } from '@donecheck/engine/base'

interface Wanted {
  readonly title: string
  readonly packageName: string
  /** A file of it that can be asked for. Default: its entry. */
  readonly entry?: string
}

/**
 * Servers come in packages that users install, each with a package for this platform beside it.
 * @param from the folder that is looked in first; then beside this package, where it is installed globally
 * @param platformFile of which package for this platform, and which file
 * @throws {UsageError} where it is not there
 */
export function findInstalled(
  { title, packageName, entry = packageName }: Wanted,
  platformFile: string,
  from: string | undefined,
): string {
  const folders = [...(from === undefined ? [] : [from]), import.meta.dirname]
  try {
    const main = createRequire(import.meta.url).resolve(entry, { paths: folders })
    return createRequire(main).resolve(platformFile)
  } catch (error) {
    throw new UsageError(
      `${title} is missing here: npm install ${packageName}, with --global if donecheck was installed so (${messageOf(error).split('\n', 1).join()})`,
      { cause: error },
    )
  }
}
