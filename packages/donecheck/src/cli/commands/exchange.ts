import { createReadStream, createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '@donecheck/engine/base'
import { exportRun, importRun } from '@donecheck/engine/store'
import { findRun } from '../settings/find-run.ts'
import type { CliIo } from '../process/io.ts'
import { withStore } from '../settings/open-store.ts'
import type { StoreFlags } from '../options/flags.ts'

export async function exportCommand(
  wanted: string,
  flags: StoreFlags & { readonly output?: string },
  io: CliIo,
): Promise<number> {
  return withStore(flags, io, async (store) => {
    const lines = withLineEnds(exportRun(store, await findRun(store, wanted)))
    if (flags.output === undefined) for await (const line of lines) io.stdout.write(line)
    else await writeTo(resolve(io.currentFolder, flags.output), lines)
    return 0
  })
}

export async function importCommand(file: string, flags: StoreFlags, io: CliIo): Promise<number> {
  return withStore(flags, io, async (store) => {
    const input = file === '-' ? io.stdin : createReadStream(resolve(io.currentFolder, file))
    const result = await importRun(store, await readLines(input, file))
    if (result.kind === 'refused') {
      const place = result.line === undefined ? file : `${file}, line ${result.line}`
      throw new UsageError(`${place}: ${result.problem}`)
    }
    io.stderr.write(
      `${result.kind === 'imported' ? 'imported' : 'there already, and the same'}: run ${result.runId}\n`,
    )
    return 0
  })
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) yield `${line}\n`
}

/** A file that exists already is left alone: it may be the only copy of another run. */
async function writeTo(file: string, lines: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(lines), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

async function readLines(input: NodeJS.ReadableStream, file: string): Promise<readonly string[]> {
  const lines: string[] = []
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) lines.push(line)
    return lines
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}
