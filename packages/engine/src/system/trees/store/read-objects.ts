import { Buffer } from 'node:buffer'
import { runOwnGitNow, streamOwnGit } from './git.ts'
import { decodeTree, isObject, type ObjectId, type TreeFile, type TreeFiles } from './objects.ts'
import { SnapshotError, type BytePath } from '../paths.ts'

/** Null if not stored. */
export type TakeObject = (id: ObjectId, content: Buffer | null) => readonly ObjectId[]

/** Hashes objects, because git delivers forged ones. @param take returns more ids @throws {SnapshotError} */
export async function readObjects(
  gitFolder: string,
  ids: Iterable<ObjectId>,
  take: TakeObject,
  signal: AbortSignal,
): Promise<void> {
  const waiting = [...ids]
  if (waiting.length === 0) return
  const answers = new Answers()
  let open = 0
  const ask = (input: { write(text: string): unknown; end(): unknown }, more: readonly ObjectId[]) => {
    open += more.length
    if (more.length > 0) input.write(more.map((id) => `${id}\n`).join(''))
    if (open === 0) input.end()
  }
  await streamOwnGit(gitFolder, ['cat-file', '--batch'], { signal }, (piece, input) => {
    answers.add(piece)
    if (piece.length === 0) ask(input, waiting)
    for (let answer = answers.next(); answer !== undefined; answer = answers.next()) {
      open -= 1
      ask(input, take(answer.id, answer.content))
    }
  })
  if (open > 0) throw new SnapshotError('git did not answer for every stored object')
}

/** Synchronous, for few small objects; null if not stored. @throws {SnapshotError} if damaged */
export function readObjectsNow(
  gitFolder: string,
  ids: readonly ObjectId[],
): ReadonlyMap<ObjectId, Buffer | null> {
  const answers = new Answers()
  const contents = new Map<ObjectId, Buffer | null>()
  if (ids.length === 0) return contents
  answers.add(runOwnGitNow(gitFolder, ['cat-file', '--batch'], ids.map((id) => `${id}\n`).join('')))
  for (let answer = answers.next(); answer !== undefined; answer = answers.next())
    contents.set(answer.id, answer.content)
  return contents
}

interface Answer {
  readonly id: ObjectId
  readonly content: Buffer | null
}

/** Parses `cat-file --batch`: `ID KIND SIZE`, content and line end, or `ID missing`. */
class Answers {
  #pieces: Buffer[] = []
  #sizeBytes = 0
  /** No answer is complete below this number of bytes. */
  #neededBytes = 1

  add(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#sizeBytes += piece.length
  }

  next(): Answer | undefined {
    if (this.#sizeBytes < this.#neededBytes) return undefined
    const all = this.#pieces.length === 1 ? (this.#pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#pieces)
    this.#pieces = [all]
    const lineEnd = all.indexOf('\n')
    if (lineEnd === -1) {
      this.#neededBytes = this.#sizeBytes + 1
      return undefined
    }
    const [id = '', kind = '', size = ''] = all.toString('latin1', 0, lineEnd).split(' ')
    if (kind === 'missing') return this.#take(all, lineEnd + 1, { id, content: null })
    const end = lineEnd + 1 + Number(size)
    if (all.length < end + 1) {
      this.#neededBytes = end + 1
      return undefined
    }
    const content = all.subarray(lineEnd + 1, end)
    if (!isObject(kind, content, id))
      throw new SnapshotError(`the stored content ${id.slice(0, 12)} is damaged`)
    return this.#take(all, end + 1, { id, content })
  }

  #take(all: Buffer, end: number, answer: Answer): Answer {
    this.#pieces = [all.subarray(end)]
    this.#sizeBytes = all.length - end
    this.#neededBytes = 1
    return answer
  }
}

/** @throws {SnapshotError} if missing or damaged */
export async function readTreeFiles(
  gitFolder: string,
  root: ObjectId,
  signal: AbortSignal,
): Promise<TreeFiles> {
  const files = new Map<BytePath, TreeFile>()
  // A tree may occur at several paths.
  const prefixes = new Map<ObjectId, BytePath[]>([[root, ['']]])
  const take: TakeObject = (id, content) => {
    if (content === null) throw new SnapshotError(`the stored tree ${id.slice(0, 12)} is missing`)
    const more: ObjectId[] = []
    const here = prefixes.get(id) ?? []
    prefixes.delete(id)
    for (const [name, entry] of decodeTree(content))
      for (const prefix of here) {
        const path = `${prefix}${name}`
        if (entry.kind !== 'folder') files.set(path, entry)
        else {
          const known = prefixes.get(entry.object)
          if (known === undefined) more.push(entry.object)
          prefixes.set(entry.object, [...(known ?? []), `${path}/`])
        }
      }
    return more
  }
  await readObjects(gitFolder, [root], take, signal)
  return files
}
