/** Check scripts anywhere: ignored by git, behind a link, or outside the work folder. */
import { hash } from 'node:crypto'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { errorCodeOf, readText, bytePathOfText, type BytePath } from '../../../system/trees/index.ts'
import { scriptsNamedIn } from '../../../analysis/protect/index.ts'
import { checkRunsOf, isOwnProgram } from '../../../analysis/sides/index.ts'
import type { Marks } from '../snapshots.ts'
import type { TamperFinding } from '../../../analysis/tamper/index.ts'

interface ScriptPlace {
  readonly workFolder: string
  readonly home: string | undefined
  readonly commands: readonly string[]
}

const absent = 'absent'

/** More scripts cannot be one project's checks. */
const maxScripts = 200

/** Bytes. Nobody writes longer scripts by hand. */
const maxLength = 64 * 1024 * 1024

/** Current scripts that checks start, and their includes, by name. */
export function checkScripts({ workFolder, home, commands }: ScriptPlace): Marks {
  const lines = commands.map((line) => line.replaceAll(`${workFolder}/`, ''))
  const text = (path: string): string | null => {
    const file = join(workFolder, path)
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? readText(file) : null
  }
  const runs = checkRunsOf(lines, { has: (path) => text(path) !== null, paths: () => [], text })
  const inside = [...runs.started.keys()].filter((path) => !isOwnProgram(path))
  // Scripts of the tree may include outside files.
  const outside = [...scriptsNamedIn(runs.lines.map((line) => line.text))].filter((path) =>
    /^(?:\.\.\/|~|\/)/u.test(path),
  )
  const paths = [...scriptsNamedIn(lines), ...inside, ...outside].flatMap((written) => {
    if (written === '~' || /[*?$[\]{}\0]/u.test(written)) return []
    if (!written.startsWith('~/')) return [resolve(workFolder, written)]
    return home === undefined ? [] : [join(home, written.slice(2))]
  })
  const all = paths.flatMap((path) => [path, resolveRealPath(path)])
  const names = [...new Set(all.map((path) => nameOf(path, workFolder)))].slice(0, maxScripts)
  return lookAtScripts(workFolder, names)
}

function resolveRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Relative inside the work folder, otherwise absolute. */
function nameOf(path: string, workFolder: string): string {
  const way = relative(workFolder, path)
  return way === '..' || way.startsWith('../') || isAbsolute(way) ? path : way
}

/** Reads the same files again, even if lines and scripts changed. */
export function lookAtScripts(workFolder: string, names: readonly string[]): Marks {
  return Object.fromEntries(names.map((name) => [name, markOf(resolve(workFolder, name))]))
}

/** Kind, executable bit and content digest of the file or link target. */
function markOf(path: string): string {
  try {
    const stats = statSync(path)
    if (!stats.isFile()) return absent
    const bits = (stats.mode & 0o111) === 0 ? 'file' : 'executable'
    return stats.size > maxLength
      ? `${bits} of ${stats.size} bytes`
      : `${bits} ${hash('sha256', readFileSync(path))}`
  } catch (error) {
    const code = errorCodeOf(error)
    return code === 'ENOENT' || code === 'ENOTDIR' ? absent : `closed ${code}`
  }
}

/** Reports changed scripts outside the tree, ignored, or behind a link. */
export function scriptFindings(
  before: Marks,
  now: Marks,
  isInTree: (path: BytePath) => boolean,
): readonly TamperFinding[] {
  return Object.entries(before).flatMap(([name, was]): readonly TamperFinding[] => {
    const is = now[name] ?? absent
    if (is === was || isInTree(bytePathOfText(name))) return []
    const became = was === absent ? 'appeared' : is === absent ? 'was removed' : 'was changed'
    const where = isAbsolute(name)
      ? 'it lies outside of the work folder'
      : 'git does not know it, or it is behind a link'
    const isMade = !isAbsolute(name) && (was === absent || isBuilt.test(name))
    return [
      {
        rule: 'check-script.changed',
        path: name,
        message: `a check runs it, and it ${became} during the run; ${where}`,
        ...(isMade ? { atMost: 'note' } : {}),
      },
    ]
  })
}

/** Build output changes with its sources. */
const isBuilt = /(?:^|\/)(?:dist|build|out|lib|esm|cjs|target|\.next|\.output)\//u
