/** Run as a program, by a user who is not root: one command in the sandbox of the library. Prints what came of it as JSON. */
import { pathToFileURL } from 'node:url'
import { runProcess, showExcerpt } from '@donecheck/engine/internal/system/process'
import { sandboxRuntime } from '@donecheck/engine/internal/system/sandbox'

const [library = '', workFolder = '', homeFolder = '', command = ''] = process.argv.slice(2)
const load = async (): Promise<unknown> => import(pathToFileURL(library).href)
const made = await sandboxRuntime({ workFolder, homeFolder, load, protectedPaths: ['check.sh'] })
if (made.kind === 'unusable') throw new Error(made.problem)
const environment = { PATH: process.env['PATH'] ?? '', HOME: homeFolder, SERVICE_TOKEN: 'this-is-a-secret' }
const ready = await made.sandbox.confine({ words: ['sh', '-c', command], folder: workFolder, environment })
if (ready.kind === 'unavailable') throw new Error(ready.problem)
const { end, output } = await runProcess({
  command: { words: ready.words },
  folder: workFolder,
  environment: ready.environment,
  timeoutMs: 30_000,
  signal: new AbortController().signal,
  headBytes: 8192,
  tailBytes: 8192,
  keepBytes: 0,
})
await ready.release?.()
console.log(JSON.stringify({ end, output: showExcerpt(output) }))
