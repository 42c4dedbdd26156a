import { constants, existsSync, lstatSync, symlinkSync } from 'node:fs'
import { cp, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** Beyond it a copy would cost more than most checks. */
const maxFiles = 100_000
const maxBytes = 4 * 1024 ** 3

/**
 * Copies what was built, so that what a check builds anew stays in the copy: through a link, the earlier tests would take
 * the place of the delivered ones in the work folder. Times are kept, because build tools compare them with those of the
 * sources. What is there already stays. What is too large is linked as data, as a whole or not at all.
 * @param from a real path
 * @param isWanted asked for every path in it, and for its own
 * @throws {DOMException} `AbortError` after an abort
 */
export async function copyBuilt(
  from: string,
  to: string,
  isWanted: (path: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const isCopied = (path: string) => isWanted(path) && isPlain(path) && !isConfigured(path)
  const size = await measureSize(from, isCopied, signal)
  if (size.isSmall)
    await cp(from, to, {
      recursive: true,
      force: false,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: isCopied,
    })
  else if (size.isWhole && !existsSync(to)) symlinkSync(from, to)
  signal.throwIfAborted()
}

/** A build that was configured for its own place: it names the work folder, and would build and test that one. */
function isConfigured(path: string): boolean {
  return ['CMakeCache.txt', 'meson-private'].some((name) => existsSync(join(path, name)))
}

/** A pipe or a socket cannot be copied. */
function isPlain(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats !== undefined && (stats.isDirectory() || stats.isFile() || stats.isSymbolicLink())
}

async function measureSize(path: string, isCopied: (path: string) => boolean, signal: AbortSignal) {
  const stats = lstatSync(path)
  let [files, bytes, isWhole] = [1, stats.size, true]
  const waiting = stats.isDirectory() ? [path] : []
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const entry of await opendir(folder)) {
      const inner = join(folder, entry.name)
      files++
      if (!isCopied(inner)) isWhole = false
      else if (entry.isDirectory()) waiting.push(inner)
      else bytes += lstatSync(inner, { throwIfNoEntry: false })?.size ?? 0
    }
    signal.throwIfAborted()
  }
  return { isWhole, isSmall: files <= maxFiles && bytes <= maxBytes }
}
