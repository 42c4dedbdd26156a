/** Folders in which tools keep what they believe of files of the tree, and files of that kind. */
const cacheFolder = /^(__pycache__|\.(?:mypy|pytest|ruff)_cache)$/
const cacheFile = /\.tsbuildinfo$|^\.(?:eslint|stylelint)cache$/

/** Whether a file is such a cache. @param path relative to the work folder */
export function isCache(path: string): boolean {
  const parts = path.split('/')
  return parts.slice(0, -1).some((part) => cacheFolder.test(part)) || cacheFile.test(parts.at(-1) ?? '')
}
