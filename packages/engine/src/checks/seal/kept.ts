/** Sealed checks on disk: outside of the work folder, under the digest that the record has of them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { canonicalJson } from '@donecheck/core/base'
import { sealedCheckKind } from '@donecheck/core/events'
import { messageOf, sha256, UsageError } from '../../base/index.ts'
import type { TextFile } from './author.ts'

const listed = z.strictObject({
  name: z.string(),
  kind: sealedCheckKind,
  author: z.string(),
  approvedBy: z.string().exactOptional(),
  title: z.string(),
  command: z.string(),
  files: z.array(z.string()),
})

type ListedCheck = z.output<typeof listed>

export interface KeptCheck extends Omit<ListedCheck, 'files'> {
  readonly files: readonly TextFile[]
}

const listFile = 'checks.json'
const filesFolder = 'files'

/** SHA-256, hex, of all that decides what they say. */
export function digestOf(checks: readonly KeptCheck[]): string {
  return sha256(canonicalJson(checks))
}

/** Readable for its user alone. @returns their digest */
export function keepChecks(folder: string, checks: readonly KeptCheck[]): string {
  const list = checks.map((check): ListedCheck => ({ ...check, files: check.files.map(({ path }) => path) }))
  write(join(folder, listFile), `${JSON.stringify(list, null, 2)}\n`)
  for (const { path, text } of checks.flatMap(({ files }) => files))
    write(join(folder, filesFolder, path), text)
  return digestOf(checks)
}

/** @throws {UsageError} where they are not those that were written: nobody knows what such checks would prove */
export function readKept(folder: string, digest: string): readonly KeptCheck[] {
  const checks = readAll(folder)
  if (digestOf(checks) !== digest) throw noLonger(folder, 'they were changed')
  return checks
}

function readAll(folder: string): readonly KeptCheck[] {
  try {
    const list = z.array(listed).parse(JSON.parse(readFileSync(join(folder, listFile), 'utf8')))
    return list.map((check) => ({
      ...check,
      files: check.files.map((path) => ({
        path,
        text: readFileSync(join(folder, filesFolder, path), 'utf8'),
      })),
    }))
  } catch (error) {
    throw noLonger(folder, messageOf(error))
  }
}

function noLonger(folder: string, why: string): UsageError {
  return new UsageError(
    `the sealed checks in ${folder} are not those that were written before the first turn (${why}); start a new run`,
  )
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, text, { mode: 0o600 })
}
