/**
 * What a worker alone may know, and no run. Variables of a process can be read in `/proc` by every process of its user, for as long as it
 * lives and even where it has deleted them: so the worker starts itself anew without them, before any run is there.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isSea } from 'node:sea'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '@donecheck/engine/base'

/** The second may hold a password. */
export const secretVariables = ['DONECHECK_GIT_CREDENTIALS', 'DONECHECK_STORE'] as const

export type OwnSecrets = Readonly<Partial<Record<(typeof secretVariables)[number], string>>>

/** Names the file in which they are handed over: it is read once, and gone. */
export const handedOver = 'DONECHECK_HANDED_OVER'

/** Does not return where any of them stands in the environment: the process begins once more, and then has them from here. */
export function takeSecrets(environment: NodeJS.ProcessEnv): OwnSecrets {
  const file = environment[handedOver]
  if (file !== undefined) {
    const text = readFileSync(file, 'utf8')
    rmSync(dirname(file), { recursive: true })
    Reflect.deleteProperty(environment, handedOver)
    return z.partialRecord(z.enum(secretVariables), z.string()).parse(JSON.parse(text))
  }
  const secrets = Object.fromEntries(
    secretVariables.flatMap((name) => {
      const value = environment[name] ?? ''
      return value === '' ? [] : [[name, value] as const]
    }),
  )
  if (Object.keys(secrets).length === 0) return {}
  return beginAnew(secrets, environment)
}

function beginAnew(secrets: OwnSecrets, environment: NodeJS.ProcessEnv): never {
  if (process.execve === undefined)
    throw new UsageError(
      'a worker cannot hide its secrets from its runs on this system; run it on Linux or macOS',
    )
  const folder = mkdtempSync(join(tmpdir(), 'donecheck-worker-'))
  const file = join(folder, 'secrets')
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  const kept = Object.entries(environment).filter(
    ([name]) => !secretVariables.some((secret) => secret === name),
  )
  const words = isSea() ? process.argv.slice(2) : [...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, [process.execPath, ...words], {
    ...Object.fromEntries(kept),
    [handedOver]: file,
  })
  throw new TypeError('the process was not begun anew')
}
