import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { changeTogether } from '../install/confirm-changes.ts'
import { readSettingsFile, removeSettingsFile, writeSettingsFile } from './settings-file.ts'

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'donecheck-as-one-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('given several files that are to be changed together', () => {
  it('then all are as they were when the last cannot be written, with no folder left behind', async () => {
    await inFolder(async (folder) => {
      const [first, made, gone, last] = [
        join(folder, 'settings.json'),
        join(folder, 'state', 'deep', 'session.json'),
        join(folder, 'record.json'),
        join(folder, 'file', 'config.toml'),
      ]
      await writeFile(first, 'old')
      await writeFile(gone, 'kept')
      await writeFile(join(folder, 'file'), 'where a folder should be')
      const work = changeTogether(async (touch) => {
        await touch(made, () => writeSettingsFile(made, 'new'))
        await touch(first, () => writeSettingsFile(first, 'new'))
        await touch(first, () => writeSettingsFile(first, 'newer'))
        await touch(gone, () => removeSettingsFile(gone, []))
        await touch(last, () => writeSettingsFile(last, 'never'))
      })
      await expect(work).rejects.toThrow(/config\.toml .*is no folder.*; nothing was changed$/u)
      await expect(work).rejects.toBeInstanceOf(UsageError)
      expect(await readFile(first, 'utf8')).toBe('old')
      expect(await readFile(gone, 'utf8')).toBe('kept')
      expect(existsSync(join(folder, 'state'))).toBe(false)
    })
  })

  it('then what nobody has touched stays as others have written it meanwhile', async () => {
    await inFolder(async (folder) => {
      const file = join(folder, 'settings.json')
      const work = changeTogether(async (touch) => {
        await touch(join(folder, 'session.json'), () =>
          writeSettingsFile(join(folder, 'session.json'), 'new'),
        )
        await writeFile(file, 'of somebody else')
        throw new UsageError(`${file} was changed meanwhile; try again`)
      })
      await expect(work).rejects.toThrow('try again; nothing was changed')
      expect(await readFile(file, 'utf8')).toBe('of somebody else')
      expect(existsSync(join(folder, 'session.json'))).toBe(false)
    })
  })

  it('then a mistake of our own is no mistake of the person, and is taken back too', async () => {
    await inFolder(async (folder) => {
      const file = join(folder, 'settings.json')
      const work = changeTogether(async (touch) => {
        await touch(file, () => writeSettingsFile(file, 'new'))
        throw new TypeError('a fault')
      })
      await expect(work).rejects.toThrow(new TypeError('a fault'))
      expect(existsSync(file)).toBe(false)
    })
  })
})

describe('given something else where settings should be', () => {
  it('then a link to a device is not followed: the device would be replaced', async () => {
    await inFolder(async (folder) => {
      const file = join(folder, 'settings.json')
      await symlink('/dev/null', file)
      await expect(readSettingsFile(file)).rejects.toThrow('no regular file')
    })
  })

  it('then a folder and a link that leads nowhere are told by name', async () => {
    await inFolder(async (folder) => {
      await mkdir(join(folder, 'a'))
      await symlink(join(folder, 'nowhere'), join(folder, 'b'))
      await expect(readSettingsFile(join(folder, 'a'))).rejects.toThrow('is a folder')
      await expect(readSettingsFile(join(folder, 'b'))).rejects.toThrow('leads nowhere')
      expect((await readSettingsFile(join(folder, 'c'))).text).toBeUndefined()
    })
  })
})
