/**
 * A child process that applies a patch, or settles one that was broken off, and kills itself at a chosen file operation:
 * `before` it, or `within` it, where that can be seen: half of a file is written. Prints as JSON what it has done.
 *
 * Words: ROOT JOURNAL_FOLDER (apply|recover) [before|within N]
 */
import { writeFileSync } from 'node:fs'
import {
  commitChanges,
  confinedFiles,
  diskOperations,
  recoverChanges,
  type FileOperations,
} from '@donecheck/engine/files'
import { planPatch } from '@donecheck/engine/patch'
import { patch } from './ten-file-patch.ts'

const [root = '', journalFolder = '', task, when, place] = process.argv.slice(2)
const steps: (keyof FileOperations)[] = []

function step(name: keyof FileOperations): boolean {
  steps.push(name)
  const isChosen = steps.length === Number(place)
  if (isChosen && when === 'before') process.kill(process.pid, 'SIGKILL')
  return isChosen
}

const operations: FileOperations = {
  makeFolder: (...given) => (step('makeFolder'), diskOperations.makeFolder(...given)),
  async writeNew(path, file) {
    if (step('writeNew')) {
      writeFileSync(path, file.bytes.subarray(0, file.bytes.length / 2), { flag: 'wx' })
      process.kill(process.pid, 'SIGKILL')
    }
    await diskOperations.writeNew(path, file)
  },
  rename: (...given) => (step('rename'), diskOperations.rename(...given)),
  removeFile: (...given) => (step('removeFile'), diskOperations.removeFile(...given)),
  removeFolder: (...given) => (step('removeFolder'), diskOperations.removeFolder(...given)),
  syncFolder: (...given) => (step('syncFolder'), diskOperations.syncFolder(...given)),
}

async function apply(): Promise<unknown> {
  const plan = await planPatch(patch, confinedFiles(root))
  return plan.kind === 'planned' ? commitChanges(root, plan.changes, { journalFolder, operations }) : plan
}

const result = await (task === 'apply' ? apply() : recoverChanges(root, { journalFolder, operations }))
process.stdout.write(`${JSON.stringify({ result, steps })}\n`)
