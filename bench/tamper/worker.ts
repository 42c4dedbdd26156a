/** One of the processes that run probes, so that what one leaves running is not another's. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { probes } from './probes/index.ts'
import { runProbe } from './run-probe.ts'

// What npm tells its scripts would lead the checks to another configuration.
for (const name of Object.keys(process.env))
  if (/^npm_/i.test(name)) Reflect.deleteProperty(process.env, name)

const root = mkdtempSync(path.join(tmpdir(), 'donecheck-tamper-'))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))

process.on('message', (message) => {
  const id = z.string().parse(message)
  const probe = probes.find((known) => known.id === id)
  if (probe === undefined) throw new TypeError(`there is no probe ${id}`)
  runProbe(probe, root).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(`${id} broke off`, error)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))
