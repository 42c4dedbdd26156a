import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { jsonOf } from '../../base/index.ts'

export interface PackageManifest {
  readonly folder: string
  /** None where it is malformed: then the package manager itself fails. */
  readonly scripts: Readonly<Partial<Record<string, string>>>
}

const manifest = z.object({ scripts: z.record(z.string(), z.unknown()).optional() })

/** The package.json of this folder, absolute, or of the nearest one above. Undefined: there is none. */
export function nearestManifest(folder: string): PackageManifest | undefined {
  const text = textOf(join(folder, 'package.json'))
  if (text !== undefined) return { folder, scripts: scriptsIn(text) }
  const parent = dirname(folder)
  return parent === folder ? undefined : nearestManifest(parent)
}

function scriptsIn(text: string): Readonly<Record<string, string>> {
  const { scripts = {} } = manifest.safeParse(jsonOf(text)).data ?? {}
  return Object.fromEntries(
    Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
