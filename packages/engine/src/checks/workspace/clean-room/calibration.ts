import { hash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { jsonOf } from '../../../base/index.ts'
import { writeWhole } from '../../../system/trees/index.ts'
import type { VerifierResult } from '../../../ports/checks.ts'

const calibration = z.strictObject({
  /** Null if the results are equal. */
  difference: z.string().nullable(),
  atMs: z.number(),
})
const memoryShape = z.record(z.string(), calibration)
/** By check: check files that its run rewrote in the room before the first turn. */
const rewritesShape = z.record(z.string(), z.array(z.string()))

export type Calibration =
  | { readonly kind: 'same' }
  | { readonly kind: 'different'; readonly difference: string }
  | { readonly kind: 'unknown' }

const dayMs = 24 * 60 * 60 * 1_000
/** A difference may be fixed, so it is retried soon. */
const keptMs = { same: 30 * dayMs, different: dayMs }

export class Calibrations {
  readonly #folder: string
  readonly #nowMs: () => number
  readonly #known = new Map<string, Calibration>()

  /** @param folder out of reach of agents */
  constructor(folder: string, nowMs: () => number) {
    this.#folder = folder
    this.#nowMs = nowMs
  }

  /** Only before the first turn. @param key see `calibrationKey` */
  recall(key: string): Calibration {
    const found = this.#find(key)
    this.#known.set(key, found)
    return found
  }

  /** Results of this process before the first turn win over the file. */
  find(key: string): Calibration {
    const unknown: Calibration = { kind: 'unknown' }
    return this.#known.size > 0 ? (this.#known.get(key) ?? unknown) : this.#find(key)
  }

  #find(key: string): Calibration {
    const known = this.#read()[key]
    if (known === undefined) return { kind: 'unknown' }
    const { difference, atMs } = known
    const ageMs = this.#nowMs() - atMs
    if (ageMs > (difference === null ? keptMs.same : keptMs.different)) return { kind: 'unknown' }
    return calibrationOf(difference)
  }

  remember(key: string, difference: string | null): void {
    this.#known.set(key, calibrationOf(difference))
    const nowMs = this.#nowMs()
    const kept = Object.entries(this.#read()).filter(([, { atMs }]) => nowMs - atMs <= keptMs.same)
    this.#write('calibration', { ...Object.fromEntries(kept), [key]: { difference, atMs: nowMs } })
  }

  /** Check files that the check itself rewrote before the first turn, so it may again. */
  rewritesOf(key: string): readonly string[] {
    return this.#readRewrites()[key] ?? []
  }

  /** @param key computed without lock files, because other packages do not change the check */
  rememberRewrites(key: string, paths: readonly string[]): void {
    this.#write('rewrites', { ...this.#readRewrites(), [key]: paths })
  }

  #read(): z.output<typeof memoryShape> {
    return memoryShape.safeParse(this.#parse('calibration')).data ?? {}
  }

  #readRewrites(): z.output<typeof rewritesShape> {
    return rewritesShape.safeParse(this.#parse('rewrites')).data ?? {}
  }

  #parse(name: string): unknown {
    try {
      return jsonOf(readFileSync(join(this.#folder, `${name}.json`), 'utf8'))
    } catch {
      return undefined
    }
  }

  #write(name: string, content: object): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    writeWhole(join(this.#folder, `${name}.json`), JSON.stringify(content))
  }
}

function calibrationOf(difference: string | null): Calibration {
  return difference === null ? { kind: 'same' } : { kind: 'different', difference }
}

/** Increase it when rooms are built differently, to discard old results. */
const version = 1

/** @param locks digests of lock files */
export function calibrationKey(
  workFolder: string,
  check: { readonly name: string; readonly definition: string },
  locks: readonly string[],
) {
  const { name, definition } = check
  return hash('sha256', JSON.stringify([version, workFolder, name, definition, [...locks].sort()]))
}

/** Describes how the room's report differs. @returns null if it does not */
export function describeDifference(inFolder: VerifierResult, inRoom: VerifierResult): string | null {
  if (inFolder.status !== inRoom.status)
    return `${inFolder.status} in the work folder, ${inRoom.status} in a clean room: ${inRoom.reason}`
  const [folderTests, roomTests] = [testsOf(inFolder), testsOf(inRoom)]
  if (folderTests.total !== roomTests.total)
    return `${folderTests.total} tests in the work folder, ${roomTests.total} in a clean room`
  const more = roomTests.failed.filter((name) => !folderTests.failed.includes(name))
  const less = folderTests.failed.filter((name) => !roomTests.failed.includes(name))
  if (more.length === 0 && less.length === 0) return null
  const [first] = more
  return first === undefined
    ? `${less[0]} fails in the work folder alone`
    : `${first} fails in a clean room alone`
}

function testsOf({ evidence }: VerifierResult) {
  const pieces = evidence.filter((piece) => piece.kind === 'tests')
  return {
    total: pieces.reduce((sum, { counts }) => sum + counts.total, 0),
    failed: pieces.flatMap(({ failed }) => failed.map(({ name, file }) => `${file ?? ''} ${name}`.trim())),
  }
}
