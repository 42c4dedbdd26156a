/** The formats of git's objects: ids, trees and packs. */
import { hash, createHash } from 'node:crypto'
import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'
import { SnapshotError, type BytePath } from '../paths.ts'

export type ObjectId = string

export interface TreeFile {
  readonly kind: 'file' | 'symlink'
  readonly mode: number
  /** Id of the content or symlink target. */
  readonly object: ObjectId
  /** Only the id is stored. */
  readonly isLarge?: true
}

export type TreeFiles = ReadonlyMap<BytePath, TreeFile>

export function hashBlob(content: Uint8Array): ObjectId {
  return blobHash(content.byteLength).update(content).digest('hex')
}

/** For a content that is read in pieces. */
export function blobHash(sizeBytes: number) {
  return createHash('sha256').update(`blob ${sizeBytes}\0`)
}

function hashTree(content: Uint8Array): ObjectId {
  return hash('sha256', Buffer.concat([Buffer.from(`tree ${content.byteLength}\0`), content]))
}

export function isObject(kind: string, content: Buffer, id: ObjectId): boolean {
  return (kind === 'tree' ? hashTree(content) : hashBlob(content)) === id
}

interface Folder {
  readonly files: Map<string, TreeFile>
  readonly folders: Map<string, Folder>
}

const newFolder = (): Folder => ({ files: new Map(), folders: new Map() })

interface EncodedTrees {
  readonly root: ObjectId
  readonly trees: ReadonlyMap<ObjectId, Buffer>
}

export function encodeTrees(files: TreeFiles): EncodedTrees {
  const root = newFolder()
  for (const [path, file] of files) {
    const parts = path.split('/')
    const name = parts.pop() ?? ''
    folderAt(root, parts).files.set(name, file)
  }
  const trees = new Map<ObjectId, Buffer>()
  return { root: encodeFolder(root, trees), trees }
}

function folderAt(root: Folder, parts: readonly string[]): Folder {
  let folder = root
  for (const part of parts) {
    const inner = folder.folders.get(part) ?? newFolder()
    folder.folders.set(part, inner)
    folder = inner
  }
  return folder
}

function encodeFolder({ files, folders }: Folder, trees: Map<ObjectId, Buffer>): ObjectId {
  const lines = [...files].map(([name, { kind, mode, object, isLarge }]) => {
    const ofFile = 0o100_000 | (mode & 0o777) | (isLarge === true ? largeBit : 0)
    const type = kind === 'symlink' ? 0o120_000 : ofFile
    return { order: name, line: encodeEntry(type, name, object) }
  })
  for (const [name, folder] of folders)
    lines.push({ order: `${name}/`, line: encodeEntry(0o40_000, name, encodeFolder(folder, trees)) })
  lines.sort((one, other) => (one.order < other.order ? -1 : 1))
  const content = Buffer.concat(lines.map(({ line }) => line))
  const id = hashTree(content)
  trees.set(id, content)
  return id
}

function encodeEntry(type: number, name: string, object: ObjectId): Buffer {
  return Buffer.from(
    `${type.toString(8)} ${name}\0${Buffer.from(object, 'hex').toString('latin1')}`,
    'latin1',
  )
}

/** Git ignores and preserves this bit. */
const largeBit = 0o1_000

/** A file, or a folder with the id of its tree. */
export type DecodedEntry = readonly [
  name: string,
  entry: TreeFile | { readonly kind: 'folder'; readonly object: ObjectId },
]

const idBytes = 32

/** @throws {SnapshotError} for a tree we did not write */
export function decodeTree(content: Buffer): readonly DecodedEntry[] {
  const entries: DecodedEntry[] = []
  for (let at = 0; at < content.length;) {
    const end = content.indexOf(0, at)
    const [octal, name] = splitOnce(content.toString('latin1', at, end), ' ')
    const type = Number.parseInt(octal, 8)
    const object = content.toString('hex', end + 1, end + 1 + idBytes)
    at = end + 1 + idBytes
    const isSafe = end !== -1 && name !== '' && name !== '.' && name !== '..' && !name.includes('/')
    if (!isSafe || at > content.length) throw new SnapshotError('a stored tree cannot be read')
    if (type === 0o40_000) entries.push([name, { kind: 'folder', object }])
    else if (type === 0o120_000) entries.push([name, { kind: 'symlink', mode: 0o777, object }])
    else if ((type & 0o170_000) === 0o100_000)
      entries.push([
        name,
        {
          ...{ kind: 'file', mode: type & 0o777, object },
          ...((type & largeBit) === 0 ? {} : { isLarge: true }),
        },
      ])
    else throw new SnapshotError('a stored tree holds what is no file')
  }
  return entries
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator)
  return [text.slice(0, at), text.slice(at + 1)]
}

export interface NewObject {
  readonly kind: 'blob' | 'tree'
  readonly content: Uint8Array
}

/** Numbers of the format. */
const packTypes = { tree: 2, blob: 3 } as const

/** Batches small objects: handing on each costs more than compressing. */
const pieceBytes = 256 * 1024

/** A pack of exactly `count` objects, in chunks. */
export function* encodePack(count: number, objects: Iterable<NewObject>): Generator<Buffer> {
  const digest = createHash('sha256')
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  head.writeUInt32BE(count, 8)
  let [parts, sizeBytes]: [Buffer[], number] = [[head], head.length]
  for (const { kind, content } of objects) {
    // Collecting recompresses, so prefer speed.
    const body = deflateSync(content, { level: 1 })
    parts.push(packHeader(packTypes[kind], content.byteLength), body)
    sizeBytes += body.length
    if (sizeBytes < pieceBytes) continue
    const piece = Buffer.concat(parts)
    digest.update(piece)
    yield piece
    parts = []
    sizeBytes = 0
  }
  const rest = Buffer.concat(parts)
  yield Buffer.concat([rest, digest.update(rest).digest()])
}

/** Type and size: seven bits per byte, in the first four of the size. */
function packHeader(type: number, sizeBytes: number): Buffer {
  const bytes: number[] = []
  let [byte, rest] = [(type << 4) | (sizeBytes & 15), Math.floor(sizeBytes / 16)]
  while (rest > 0) {
    bytes.push(byte | 0x80)
    byte = rest & 0x7f
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, byte])
}
