import { dirname, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { scriptCallOf } from '../../../../../analysis/shell/index.ts'
import { readText, type Script } from './script.ts'

const manifest = z.object({ scripts: z.record(z.string(), z.unknown()).optional() })

/** Scripts of the nearest package.json that a package manager's command runs, with those before and after it. */
export function packageScripts(words: readonly string[], folder: string, root: string): readonly Script[] {
  const call = scriptCallOf(words)
  if (call === undefined || call.isElsewhere || call.manifest !== 'package.json') return []
  const found = nearestManifest(resolve(folder, call.folder ?? '.'))
  if (found === undefined) return []
  const wanted = call.scripts.map((name) => matching(name, Object.keys(found.scripts)))
  // A script that is missing is a failure of the command.
  if (wanted.some((matched) => matched.length === 0)) return []
  const where = relative(root, join(found.folder, 'package.json'))
  return wanted.flat().flatMap((name) =>
    (call.hasHooks ? [`pre${name}`, name, `post${name}`] : [name]).flatMap((part): readonly Script[] => {
      const text = found.scripts[part]
      return text === undefined ? [] : [{ text, where: `${where} scripts.${part}`, folder: found.folder }]
    }),
  )
}

function matching(name: string, names: readonly string[]): readonly string[] {
  if (!name.includes('*')) return names.includes(name) ? [name] : []
  const parts = name.split(/\*+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('.*')}$`)
  return names.filter((candidate) => pattern.test(candidate))
}

interface ManifestMatch {
  readonly folder: string
  readonly scripts: Readonly<Record<string, string>>
}

/** The package.json of this folder or of the nearest one above. Undefined: there is none. */
export function nearestManifest(folder: string): ManifestMatch | undefined {
  const text = readText(join(folder, 'package.json'))
  if (text !== undefined) return { folder, scripts: scriptsIn(text) }
  const parent = dirname(folder)
  return parent === folder ? undefined : nearestManifest(parent)
}

/** None where the manifest is malformed: then the package manager itself fails. */
function scriptsIn(text: string): Readonly<Record<string, string>> {
  try {
    const { scripts = {} } = manifest.parse(JSON.parse(text))
    return Object.fromEntries(
      Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}
