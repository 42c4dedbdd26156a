/** The hands of the scripted agent. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { defaultTools } from 'donecheck'
import type { Edit } from './probe.ts'

/** Where a probe happens. */
export interface Place {
  readonly workFolder: string
  /** Home of the check and of the agent. */
  readonly home: string
  readonly environment: Readonly<Record<string, string>>
}

/** @throws {Error} where an edit finds nothing to do: a probe that does nothing proves nothing */
export async function applyEdits(edits: readonly Edit[], place: Place): Promise<void> {
  for (const edit of edits) {
    if (edit.kind === 'run') await runLine(edit.line, place)
    else change(edit, place)
  }
}

/** As a model would: with the library's own tool. */
async function runLine(line: string, { workFolder, environment }: Place): Promise<void> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const tools = defaultTools({
    workFolder,
    environment: { ...Object.fromEntries(inherited), ...environment },
  })
  const prepared = await tools.find(({ name }) => name === 'run_shell')?.prepare({ command: line })
  if (prepared?.kind !== 'ready') throw new Error(`the shell cannot run ${line}`)
  const { status, output } = await prepared.run(new AbortController().signal)
  if (status !== 'ok') throw new Error(`${line} ended so: ${output}`)
}

function change(edit: Exclude<Edit, { kind: 'run' }>, place: Place): void {
  const target = inPlace(edit.path, place)
  mkdirSync(path.dirname(target), { recursive: true })
  switch (edit.kind) {
    case 'write':
      // What stands there may be a link out of the project, such as an installed runner.
      rmSync(target, { force: true })
      writeFileSync(target, edit.text, { mode: edit.mode ?? 0o644 })
      break
    case 'replace':
      writeFileSync(target, replaced(readFileSync(target, 'utf8'), edit))
      break
    case 'append':
      appendFileSync(target, edit.text)
      break
    case 'remove':
      rmSync(target, { recursive: true })
      break
    case 'rename': {
      const to = inPlace(edit.to, place)
      mkdirSync(path.dirname(to), { recursive: true })
      renameSync(target, to)
      break
    }
    case 'chmod':
      chmodSync(target, edit.mode)
      break
    case 'link':
      rmSync(target, { force: true, recursive: true })
      symlinkSync(edit.target, target)
      break
  }
}

function replaced(text: string, { path: name, from, to }: Extract<Edit, { kind: 'replace' }>): string {
  if (!text.includes(from)) throw new Error(`${name} does not contain ${JSON.stringify(from)}`)
  return text.replaceAll(from, () => to)
}

function inPlace(name: string, { workFolder, home }: Place): string {
  if (name.startsWith('~/')) return path.join(home, name.slice(2))
  return path.join(workFolder, name)
}
