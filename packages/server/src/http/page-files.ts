/** The files of the page, as they were built into this package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'

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
  if (!existsSync(folder)) return new Map()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return new Map(
    files.flatMap((entry): [string, PageFile][] => {
      const path = join(entry.parentPath, entry.name)
      const type = types[extname(path)]
      if (type === undefined) return []
      const address = `/${relative(folder, path).split(sep).join('/')}`
      const content = new Uint8Array(readFileSync(path))
      return [[address, { content, type, isHashed: address.startsWith('/assets/') }]]
    }),
  )
}
