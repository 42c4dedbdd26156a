import { existsSync } from 'node:fs'
import { given, messageOf, StoreError, UsageError } from '@donecheck/engine/internal/base'
import { openMemory, trustOf, type MemoryFact, type OpenMemory } from '@donecheck/engine/memory'
import { systemClock } from '@donecheck/engine/internal/loop/run'
import type { CliIo } from '../../process/io.ts'
import { memoryFileOf } from '../../settings/store-folder.ts'
import { settingsWithoutFile } from '../../settings/settings.ts'
import type { StoreFlags } from '../../options/flags.ts'

export type MemoryAction = 'list' | 'show' | 'forget' | 'pin' | 'unpin' | 'export'

type MemoryFlags = StoreFlags & { readonly memory?: 'project' | 'user' }

export async function memoryCommand(
  action: MemoryAction,
  ids: readonly string[],
  flags: MemoryFlags,
  io: CliIo,
): Promise<number> {
  const file = fileOf(flags, io)
  if (!existsSync(file)) return nothingThere(action, ids, file, flags, io)
  const memory = openMemory({ file, nowMs: () => systemClock.nowMs(), onProblem: () => undefined })
  try {
    perform(action, ids, flags, memory, io)
    return 0
  } catch (error) {
    throw error instanceof UsageError ? error : new StoreError(file, messageOf(error))
  } finally {
    memory.close()
  }
}

function fileOf({ memory = 'project', store, workdir }: MemoryFlags, io: CliIo): string {
  const { config, workFolder } = settingsWithoutFile(given({ store, workdir }), io)
  return memoryFileOf({ memory, store: config.store, workFolder }, io)
}

function nothingThere(
  action: MemoryAction,
  ids: readonly string[],
  file: string,
  { json }: MemoryFlags,
  io: CliIo,
): number {
  if (ids.length > 0)
    throw new UsageError(`there is no fact ${ids.join(', ')}: no run has left anything in ${file}`)
  if (action === 'list') io.stdout.write(json === true ? '[]\n' : `nothing is remembered in ${file}\n`)
  return 0
}

function perform(
  action: MemoryAction,
  ids: readonly string[],
  flags: MemoryFlags,
  memory: OpenMemory,
  io: CliIo,
): void {
  const facts = memory.list()
  const named = ids.map((id) => factNamed(id, facts))
  switch (action) {
    case 'list':
      io.stdout.write(flags.json === true ? `${JSON.stringify(facts)}\n` : facts.map(lineOf).join(''))
      return
    case 'show':
      io.stdout.write(named.map((fact) => `${linesOf(fact).join('\n')}\n`).join('\n'))
      return
    case 'forget':
      for (const { id } of named) memory.forget(id)
      io.stderr.write(`forgotten: ${ids.join(', ')}\n`)
      return
    case 'pin':
    case 'unpin':
      for (const { id } of named) memory.pin(id, action === 'pin')
      io.stderr.write(`${action === 'pin' ? 'pinned' : 'ages again'}: ${ids.join(', ')}\n`)
      return
    case 'export':
      io.stdout.write(facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''))
      return
  }
}

function factNamed(id: string, facts: readonly MemoryFact[]): MemoryFact {
  const found = facts.find((fact) => fact.id === id)
  if (found === undefined)
    throw new UsageError(`there is no fact "${id}"; "donecheck memory list" names them`)
  return found
}

function lineOf(fact: MemoryFact): string {
  return `${fact.id.padEnd(5)} ${fact.kind.padEnd(8)} ${trustText(fact)}${fact.isPinned ? ' pinned' : ''}  ${fact.text}\n`
}

function linesOf(fact: MemoryFact): readonly string[] {
  const { id, kind, text, runId, learntAtMs, isVerified, recalled, helped } = fact
  return [
    `${id}  ${kind}${fact.isPinned ? ', pinned' : ''}`,
    `  ${text}`,
    `  learnt ${new Date(learntAtMs).toISOString()} from run ${runId}, ${isVerified ? 'which was verified' : 'which was not verified'}`,
    `  told to ${recalled} ended runs, ${helped} of them verified; trust ${trustText(fact)}`,
  ]
}

function trustText(fact: MemoryFact): string {
  return `${Math.round(trustOf(fact) * 100)} %`
}
