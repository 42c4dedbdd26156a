import { mkdir, truncate, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFormat, readFolders, readReport } from '../take-report.ts'
import { eachInFolder } from '../../../texts/fixtures/temporary-folder.ts'

let folder = ''

eachInFolder((made) => {
  folder = made
})

async function write(path: string, text: string, timeMs = Date.now()): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
  await utimes(join(folder, path), timeMs / 1000, timeMs / 1000)
}

const suite = (name: string) =>
  `<testsuite name="s" tests="1"><testcase classname="S" name="${name}"/></testsuite>`

describe('given the folders into which a runner writes by itself', () => {
  const names = ['target/surefire-reports', 'build/test-results']
  const readAsJunit = (text: string) => readFormat(text, 'junit', folder)

  it('adds up the reports of all modules and test tasks', async () => {
    await write('target/surefire-reports/TEST-a.xml', suite('a'))
    await write('core/target/surefire-reports/TEST-b.xml', suite('b'))
    await write('app/build/test-results/test/TEST-c.xml', suite('c'))
    const reading = await readFolders(folder, names, Date.now() - 60_000, readAsJunit)
    expect(reading).toMatchObject({ kind: 'read', report: { counts: { passed: 3 } } })
  })

  it('does not believe what is older than the run', async () => {
    await write('target/surefire-reports/TEST-a.xml', suite('a'), Date.now() - 60_000)
    const reading = await readFolders(folder, names, Date.now() - 1_000, readAsJunit)
    expect(reading).toEqual({ kind: 'unreadable', problem: 'no report was written' })
  })

  it('believes none where one is broken', async () => {
    await write('target/surefire-reports/TEST-a.xml', suite('a'))
    await write('target/surefire-reports/TEST-b.xml', suite('b').slice(0, 30))
    expect(await readFolders(folder, names, 0, readAsJunit)).toMatchObject({ kind: 'unreadable' })
  })
})

describe('given a file as a report', () => {
  const read = (path: string) => readReport(path, (text) => readFormat(text, 'junit', folder))

  it('reads no more than 64 MiB', async () => {
    await write('big.xml', '')
    await truncate(join(folder, 'big.xml'), 64 * 1024 * 1024 + 1)
    expect(await read(join(folder, 'big.xml'))).toMatchObject({
      problem: 'the report has 67108865 bytes, more than is read',
    })
  })
})
