import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { givenRun, project, read } from '../fixtures/guarded-run.ts'
import { askSum, laidFor, report } from '../fixtures/sum-check.ts'
import { git, newFolder, newRepository } from '../fixtures/work-tree.ts'

const from = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** Prints a dot before each step: it stores the baseline with what is installed, and lays a room, again and again. */
const worker = `
import { writeFileSync } from 'node:fs'
import { tamperGuard } from ${from('../guard/tamper-guard.ts')}
const [workFolder, snapshotFolder] = process.argv.slice(2)
const signal = new AbortController().signal
const guard = tamperGuard({ workFolder, snapshotFolder, clock: { nowMs: () => Date.now() }, checkIn: 'clean-room' })
const prepare = (trigger) => guard.prepare({ runId: 'killed', trigger, turn: 1, canRetry: true }, signal)
const ask = async () => ({ status: 'passed', reason: '', canRetry: true, qualifiers: [], evidence: [] })
for (let round = 0; ; round++) {
  for (let index = 0; index < 400; index++) writeFileSync(\`\${workFolder}/made\${index}.js\`, \`\${round % 2} \${index}\`)
  process.stdout.write('.')
  await (await prepare('baseline')).dispose()
  process.stdout.write('.')
  const tree = await prepare('claim')
  await tree.deciding.decide(undefined, { name: 'c', definition: 'c', runsPrograms: true, ask }, signal)
  await tree.dispose()
}
`

it('leaves a room and a repository with which the next run goes on, whenever it is killed', async () => {
  const workFolder = newRepository({ ...project, '.gitignore': 'made*\nnode_modules\n' })
  const [snapshotFolder, cache] = [newFolder(), newFolder()]
  const script = join(newFolder(), 'worker.ts')
  writeFileSync(script, worker)
  for (const steps of [1, 2, 3, 4]) {
    await killAfter(steps, [script, workFolder, snapshotFolder], cache)
    expect(git(workFolder, 'status', '--porcelain')).toBe('')
    expect(existsSync(join(workFolder, '.git/index.lock'))).toBe(false)
    const run = givenRun({ workFolder, snapshotFolder, checkIn: 'clean-room' })
    expect((await run.prepare('baseline')).report.status).toBe('passed')
    const tree = await run.prepare('claim')
    const room = await laidFor(tree)
    expect(room).toMatch(/\/1\/tree\//u)
    expect(read(room, 'sum.js')).toBe(project['sum.js'])
    expect(read(room, 'made399.js')).toBe(read(workFolder, 'made399.js'))
    expect((await askSum(tree, () => report('passed', []))).report.status).toBe('passed')
    await tree.dispose()
  }
  expect(readdirSync(cache)).toEqual([])
})

async function killAfter(steps: number, words: readonly string[], cache: string): Promise<void> {
  const env = { ...process.env, TMPDIR: cache }
  const child = spawn(process.execPath, ['--conditions=donecheck-source', ...words], { env })
  let seen = 0
  child.stdout.on('data', (dots: Buffer) => {
    seen += dots.length
    if (seen >= steps) child.kill('SIGKILL')
  })
  await once(child, 'close')
  expect(seen).toBeGreaterThanOrEqual(steps)
}
