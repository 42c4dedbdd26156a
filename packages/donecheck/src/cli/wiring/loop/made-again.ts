/** Folders that tools make and make again: what an agent may clear away in a sandbox without a question. */
import { posix, resolve } from 'node:path'
import { askGit } from '../../tree/git.ts'

/** Nobody keeps anything in a folder of such a name. */
const unmistakable =
  /^(?:node_modules|__pycache__|\.(?:pytest|mypy|ruff|parcel)[_-]cache|\.nyc_output|\.next|\.nuxt|\.svelte-kit|\.turbo|\.vite|\.angular|\.tox|\.nox|\.dart_tool|coverage|htmlcov|[\w.-]+\.egg-info)$/u
/** So it is usually; some projects keep their sources there. */
const usual =
  /^(?:dist|build|_build|out|target|obj|tmp|\.tmp|\.cache|\.output|\.gradle|\.?venv|cmake-build-[\w-]+|storybook-static|playwright-report|test-results)$/u

/**
 * Whether what lies at an absolute path can be made again. Nothing that git held when this was called can, and without git
 * names that are not unmistakable say nothing. Never rejects.
 */
export async function regenerablePaths(workFolder: string): Promise<(path: string) => boolean> {
  const root = resolve(workFolder)
  const listing = await askGit(root, ['ls-files', '-z'])
  const tracked = listing === undefined ? undefined : withFolders(listing.split('\0'))
  return (path) => {
    const relative = posix.relative(root, path)
    const parts = relative.split('/')
    if (relative === '' || parts[0] === '..') return false
    if (tracked === undefined) return parts.some((part) => unmistakable.test(part))
    return parts.some((part) => unmistakable.test(part) || usual.test(part)) && !tracked.has(relative)
  }
}

/** Every file, and every folder that one of them lies in. */
function withFolders(files: readonly string[]): ReadonlySet<string> {
  const all = new Set(files)
  for (const file of files)
    for (let folder = posix.dirname(file); folder !== '.' && !all.has(folder); folder = posix.dirname(folder))
      all.add(folder)
  return all
}
