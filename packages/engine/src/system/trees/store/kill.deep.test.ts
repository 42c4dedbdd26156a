import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { file, newFolder, signal, storeIn } from './fixtures/stored-trees.ts'
import { openTrees } from './open-trees.ts'

const module = new URL('../index.ts', import.meta.url).href

/** Stores and lays one tree after the other until it is killed, and prints a dot before each step. */
const worker = `
import { hashBlob, openTrees } from ${JSON.stringify(module)}
const [stateFolder, folder] = process.argv.slice(2)
const signal = new AbortController().signal
const trees = openTrees(stateFolder)
for (let round = 0; ; round++) {
  const files = new Map()
  const contents = new Map()
  for (let index = 0; index < 60; index++) {
    const content = Buffer.from(\`\${index} \${index % 7 === 0 ? round : ''}\`)
    contents.set(\`d\${index % 9}/f\${index}\`, content)
    files.set(\`d\${index % 9}/f\${index}\`, { kind: 'file', mode: 0o644, object: hashBlob(content), sizeBytes: content.length })
  }
  process.stdout.write('.')
  const tree = await trees.store(files, (path) => contents.get(path), signal)
  process.stdout.write('.')
  trees.keep('run', tree)
  process.stdout.write('.')
  await trees.lay(tree, folder, { signal })
  process.stdout.write('.')
  await trees.collect({ keptForMs: 1e12, maxPacks: 1, signal })
}
`

it('leaves a repository and a folder with which the next process goes on, whenever it is killed', async () => {
  const [stateFolder, folder] = [newFolder(), join(newFolder(), 'laid')]
  const script = join(newFolder(), 'worker.ts')
  writeFileSync(script, worker)
  const project = { 'd0/f0': file('0 mine'), 'd0/new': file('new') }
  for (const steps of [1, 2, 3, 4, 5, 7, 9, 12]) {
    await killAfter(steps, [script, stateFolder, folder])
    const trees = openTrees(stateFolder)
    const tree = await storeIn(trees, project)
    await trees.lay(tree, folder, { signal })
    const again = join(newFolder(), 'again')
    await trees.lay(tree, again, { signal })
    expect([...(await trees.list(tree, signal)).keys()]).toEqual(['d0/f0', 'd0/new'])
  }
})

async function killAfter(steps: number, words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, ['--conditions=donecheck-source', ...words])
  let seen = 0
  child.stdout.on('data', (dots: Buffer) => {
    seen += dots.length
    if (seen >= steps) child.kill('SIGKILL')
  })
  await once(child, 'close')
  expect(seen).toBeGreaterThanOrEqual(steps)
}
