/** Writes one file per item, atomically. Only one process uses the folder at a time. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as z from 'zod'
import { outcomes } from '@donecheck/core/internal/events/transitions'
import { verdictStatuses } from '@donecheck/core/internal/events/verdicts'
import { realPath, RunHeldError, sha256, UsageError, jsonOf } from '../../base/index.ts'
import { takeLock } from '../../system/process/index.ts'

const resultSchema = z.object({
  version: z.literal(1),
  environment: z.string(),
  agent: z.string(),
  seed: z.number(),
  /** Digest of the task; a result with another digest is ignored. */
  definition: z.string(),
  score: z.number().min(0).max(1),
  passed: z.boolean(),
  /** One sentence: why the score is not higher. */
  reason: z.string(),
  /** Null if no run started. */
  outcome: z.enum(outcomes).nullable(),
  verdicts: z.array(z.object({ verifier: z.string(), status: z.enum(verdictStatuses) })),
  runId: z.string().nullable(),
  turns: z.number(),
  tokens: z.number(),
  costUsd: z.number().nullable(),
  durationMs: z.number(),
})

export type ItemResult = Readonly<z.infer<typeof resultSchema>>

export type ItemKey = Pick<ItemResult, 'environment' | 'agent' | 'seed'>

export class ResultFolder {
  readonly #folder: string
  readonly #lock: string

  /** @throws {UsageError} inside a git repository, which may hide changes @throws {RunHeldError} if in use */
  constructor(folder: string) {
    mkdirSync(resolve(folder), { recursive: true })
    this.#folder = realPath(resolve(folder))
    const repository = repositoryAround(this.#folder)
    if (repository !== undefined)
      throw new UsageError(
        `folder: ${this.#folder} lies in the git repository ${repository}, whose settings would hold for the tries: name one outside`,
      )
    this.#lock = join(this.#folder, 'evaluation.lock')
    if (!takeLock(this.#lock, 'an evaluation'))
      throw new RunHeldError(
        `${this.#folder} is in use by another evaluation; where none is under way, remove ${this.#lock}`,
      )
    // A process that died may have left files.
    rmSync(this.#work, { recursive: true, force: true })
    mkdirSync(this.#work)
    mkdirSync(join(this.#folder, 'results'), { recursive: true })
  }

  get #work(): string {
    return join(this.#folder, 'work')
  }

  /** Undefined if it is missing, unreadable, or has another definition. */
  find(key: ItemKey, definition: string): ItemResult | undefined {
    const file = this.#fileOf(key)
    if (!existsSync(file)) return undefined
    const parsed = resultSchema.safeParse(jsonOf(readFileSync(file, 'utf8')))
    return parsed.success && parsed.data.definition === definition ? parsed.data : undefined
  }

  keep(result: ItemResult): void {
    const file = this.#fileOf(result)
    const draft = `${file}.${randomUUID()}`
    writeFileSync(draft, `${JSON.stringify(result, undefined, 2)}\n`, { flush: true })
    renameSync(draft, file)
  }

  /** A new folder per attempt: processes of an earlier attempt may still write to theirs. */
  newWorkFolder(): string {
    return mkdtempSync(join(this.#work, 'try-'))
  }

  release(): void {
    rmSync(this.#work, { recursive: true, force: true })
    rmSync(this.#lock, { force: true })
  }

  #fileOf({ environment, agent, seed }: ItemKey): string {
    const words = `${environment} ${agent} ${seed}`.replace(/[^\p{L}\p{N}.-]+/gu, '-').slice(0, 80)
    const digest = sha256(JSON.stringify([environment, agent, seed])).slice(0, 8)
    return join(this.#folder, 'results', `${words}-${digest}.json`)
  }
}

function repositoryAround(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : repositoryAround(above)
}
