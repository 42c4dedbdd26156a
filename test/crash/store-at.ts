import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { openSqliteStore } from '@donecheck/engine/store'

/** By its place: a folder, or the address of a database. */
export async function storeAt(place: string): Promise<Store> {
  if (!place.startsWith('postgres:')) return openSqliteStore({ folder: place })
  const { postgresStore } = await import('@donecheck/fleet/internal/postgres')
  return postgresStore({ url: place, connections: 2, folder: folderBeside(place) })
}

/** For what is too large for the record of that tenant, the same in every process. */
export function folderBeside(place: string): string {
  return join(tmpdir(), `donecheck-store-${new URL(place).searchParams.get('tenant') ?? ''}`)
}
