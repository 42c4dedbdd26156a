import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bytePathOfText, type BytePath } from '../../tree/byte-path.ts'
import type { OverlayFile } from '../../clean-copy/overlay.ts'
import type { TamperGuardOptions } from '../options.ts'

/**
 * The files of a folder as they are laid over a copy; links and the like are left out.
 * @throws the system's error for what is there and cannot be read: held-out checks do not run without their files
 */
export function heldOutOverlay(folder: string): ReadonlyMap<BytePath, OverlayFile> {
  const overlay = new Map<BytePath, OverlayFile>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const mode = statSync(file).mode & 0o777
    overlay.set(bytePathOfText(relative(folder, file)), { kind: 'file', content: readFileSync(file), mode })
  }
  return overlay
}

export function sealedOverlay(
  files: NonNullable<TamperGuardOptions['sealedFiles']>,
): ReadonlyMap<BytePath, OverlayFile> {
  return new Map(
    files.map(({ path, text }) => [
      bytePathOfText(path),
      { kind: 'file', content: Buffer.from(text), mode: 0o644 },
    ]),
  )
}
