import { hash } from 'node:crypto'
import { protectionOf, type Protection, type ProtectOptions } from '../../tamper/index.ts'
import { fileUnder, textOf, type BytePath } from '../byte-path.ts'
import type { OverlayFile } from '../clean-copy/overlay.ts'
import type { TreeEntries } from '../read-tree.ts'
import type { Manifest, ManifestEntry } from '../snapshot/manifest.ts'
import { stampOf } from '../stamps.ts'

/** A protected file of the untouched tree. */
export interface AgreedFile {
  readonly protection: Protection
  readonly entry: ManifestEntry
}

/** What checks themselves may write at any time: package managers do. */
const leftAlone: readonly Protection[] = ['lock']

/** Files that no check has a reason to write. */
export function agreedFiles({ entries }: Manifest, protect: ProtectOptions): readonly AgreedFile[] {
  return entries.flatMap((entry): readonly AgreedFile[] => {
    const path = textOf(entry.path)
    if (entry.kind === 'other') return []
    const protection = protectionOf(path, protect)
    return protection === undefined || leftAlone.includes(protection) ? [] : [{ protection, entry }]
  })
}

/** An agreed file as it stands in a folder before the checks run there. */
export interface LaidFile extends AgreedFile {
  readonly stamp: string | undefined
  /** Of the content, or of a symlink's target; null: as it is, whatever it is. */
  readonly digest: string | null
}

export interface LaidFiles {
  readonly folder: string
  /** A copy may have been written to before its stamps were taken: its content is compared in any case. */
  readonly isCopy: boolean
  readonly files: readonly LaidFile[]
}

export type Stamps = ReadonlyMap<BytePath, string | undefined>

/** To be taken before the files are read: what is written after that is noticed. */
export function stampsOf(folder: string, agreed: readonly AgreedFile[]): Stamps {
  return new Map(agreed.map(({ entry: { path } }) => [path, stampOf(fileUnder(folder, path))]))
}

/** What the drive took away is not among them: it is a finding already, and nothing to compare with. */
export function laidInPlace(
  folder: string,
  agreed: readonly AgreedFile[],
  stamps: Stamps,
  tree: TreeEntries,
): LaidFiles {
  const files = agreed.flatMap((file): readonly LaidFile[] => {
    const is = tree.get(file.entry.path)
    return is === undefined ? [] : [{ ...file, stamp: stamps.get(is.path), digest: is.digest }]
  })
  return { folder, isCopy: false, files }
}

/** The same in a copy of the tree, with what lies over it. */
export function laidInCopy(
  folder: string,
  agreed: readonly AgreedFile[],
  tree: TreeEntries,
  overlay: ReadonlyMap<BytePath, OverlayFile | null>,
): LaidFiles {
  const stamps = stampsOf(folder, agreed)
  const files = agreed.flatMap((file): readonly LaidFile[] => {
    const { path } = file.entry
    const over = overlay.get(path)
    const is = over === undefined ? tree.get(path) : (over ?? undefined)
    if (is === undefined) return []
    // A link to the work folder leads to the copy there.
    const isLink = is.kind === 'symlink'
    const digest = isLink ? null : 'content' in is ? hash('sha256', is.content) : is.digest
    return [{ ...file, stamp: stamps.get(path), digest }]
  })
  return { folder, isCopy: true, files }
}
