/** The files of the page, as they were built into this package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import * as sea from 'node:sea'

export interface PageFile {
  readonly content: Uint8Array<ArrayBuffer>
  readonly type: string
  /** The name holds a digest of the content: it may be kept for ever. */
  readonly isHashed: boolean
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Beside the sources and beside what is built of them alike. */
export const pageFolder = join(import.meta.dirname, '../../dist/page')

/**
 * By the path of the address, such as `/assets/index-3f2a.js`. All that may be asked for is in this table: no path of a request ever
 * becomes a path of the disk. Empty where the page was not built.
 */
export function readPageFiles(folder = pageFolder): ReadonlyMap<string, PageFile> {
  const built = sea.isSea() ? insideExecutable() : insideFolder(folder)
  return new Map(
    built.flatMap(([address, content]): [string, PageFile][] => {
      const type = types[extname(address)]
      return type === undefined
        ? []
        : [[address, { content, type, isHashed: address.startsWith('/assets/') }]]
    }),
  )
}

type BuiltFile = readonly [address: string, content: Uint8Array<ArrayBuffer>]

function insideFolder(folder: string): readonly BuiltFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [`/${relative(folder, path).split(sep).join('/')}`, new Uint8Array(readFileSync(path))])
}

/** The single file carries them under their addresses. An older Node lacks this export, so it is asked of the module, and only there. */
function insideExecutable(): readonly BuiltFile[] {
  return sea.getAssetKeys().map((address) => [address, new Uint8Array(sea.getAsset(address))])
}
