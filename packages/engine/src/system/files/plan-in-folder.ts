import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import {
  type FileLook,
  type PatchFiles,
  type Plan,
  planPatch,
  planUnifiedDiff,
} from '../../analysis/patch/index.ts'
import { jsonOf } from '../../base/index.ts'
import { confine, maxFileBytes, readBytes } from './confine.ts'

type PatchFormat = 'v4a' | 'unified'

export async function planInFolder(
  root: string,
  text: string,
  { format }: { readonly format?: PatchFormat } = {},
): Promise<Plan> {
  if (text.trim() === '') {
    const message = 'there is no patch: the input is empty'
    return { kind: 'refused', problems: [{ kind: 'malformed', message }] }
  }
  const plan = (format ?? patchFormatOf(text)) === 'v4a' ? planPatch : planUnifiedDiff
  return plan(text, confinedFiles(root))
}

/** Detects the format by the first line, or after a heredoc opener. Default: V4A, the clearest errors. */
export function patchFormatOf(text: string): PatchFormat {
  const isV4a = /^\s*(?:<<\s*(['"]?)\w+\1\s*\n\s*)?\*\*\* Begin Patch\s*$/mu.test(firstLines(text))
  return isV4a || !/^(?:diff --git |--- |Index: )/mu.test(text) ? 'v4a' : 'unified'
}

function firstLines(text: string): string {
  return text.trimStart().split('\n', 2).join('\n')
}

/** Regular files of a folder, symlinks resolved; refuses outside and large files. */
export function confinedFiles(root: string): PatchFiles {
  return {
    look: async (path): Promise<FileLook> => {
      const file = await confine(root, path)
      if (file.kind === 'outside') return { kind: 'refused', reason: file.reason }
      const found = await readBytes(file.absolute, maxFileBytes)
      switch (found.kind) {
        case 'file':
          return { kind: 'file', path: file.relative, image: { bytes: found.bytes, mode: found.mode } }
        case 'missing':
          return { kind: 'missing', path: file.relative }
        case 'unreadable':
          return { kind: 'refused', reason: `${file.relative} ${found.problem}` }
      }
    },
  }
}

interface PackageManifest {
  readonly folder: string
  /** Empty if malformed: then the package manager itself fails. */
  readonly scripts: Readonly<Partial<Record<string, string>>>
}

const manifest = z.object({ scripts: z.record(z.string(), z.unknown()).optional() })

/** Finds package.json in this absolute folder or the nearest parent. */
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
