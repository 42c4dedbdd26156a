import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findEditableInstall } from './editable-install.ts'

let folder: string

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'editable-')))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

describe('given a virtual environment in the work folder', () => {
  it.each([
    '.venv/lib/python3.11/site-packages/shop.pth',
    'venv/lib/python3.12/site-packages/__editable___shop.py',
  ])('finds %s, which names the work folder', async (path) => {
    await write(path, `${folder}/src\n`)
    expect(await findEditableInstall(folder)).toBe(path)
  })

  it('finds nothing in one that names other folders only', async () => {
    await write('.venv/lib/python3.11/site-packages/other.pth', '/usr/lib/python3/dist-packages\n')
    expect(await findEditableInstall(folder)).toBeUndefined()
  })
})

it('finds nothing where there is no virtual environment', async () => {
  expect(await findEditableInstall(folder)).toBeUndefined()
})
