import type * as sqliteModule from 'node:sqlite'
import { StoreError } from '../../errors.ts'

type Sqlite = typeof sqliteModule

/**
 * Loaded when the first store is opened: a program that keeps its runs elsewhere need not have it. Older versions of
 * Node warn once that it is experimental; that one sentence is kept from users, every other warning passes.
 * @throws {StoreError} when this Node has no SQLite
 */
export function loadSqlite(place: string): Sqlite {
  const emitWarning = process.emitWarning.bind(process)
  const original = Object.getOwnPropertyDescriptor(process, 'emitWarning')
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!isAboutSqlite(warning)) Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  try {
    return builtinSqlite(place)
  } finally {
    if (original !== undefined) Object.defineProperty(process, 'emitWarning', original)
  }
}

function builtinSqlite(place: string): Sqlite {
  const builtin: { readonly getBuiltinModule: (name: 'node:sqlite') => Sqlite | undefined } = process
  const sqlite = builtin.getBuiltinModule('node:sqlite')
  if (sqlite !== undefined) return sqlite
  throw new StoreError(place, `Node ${process.version} has no SQLite: use Node 22.18 or newer`)
}

function isAboutSqlite(warning: string | Error): boolean {
  return typeof warning === 'string' && warning.startsWith('SQLite is an experimental feature')
}
