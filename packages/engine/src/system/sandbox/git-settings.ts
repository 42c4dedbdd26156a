/** Whether a git folder that a confined process made could make git run a program for whoever calls it next. */
import { lstat, readdir, readFile, rename } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { realPath } from './real-path.ts'

/** Names by section of settings that start nothing; a line that is not understood is taken for one that does. */
const harmlessSettings: Readonly<Record<string, RegExp>> = {
  core: /^(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|quotepath|worktree|sparsecheckout\w*)$/,
  user: /^(?:name|email)$/,
  init: /^defaultbranch$/,
  extensions: /^(?:objectformat|partialclone|refstorage|preciousobjects)$/,
  remote: /^(?:url|pushurl|fetch|tagopt|promisor|partialclonefilter|mirror)$/,
  branch: /^(?:remote|merge|rebase|pushremote)$/,
  submodule: /^(?:url|active|branch)$/,
  pull: /^(?:rebase|ff)$/,
  push: /^(?:default|autosetupremote)$/,
}

/** Of the settings of a git folder the names of those files that could start something. */
export async function startingParts(
  gitFolder: string,
  isTrusted: (folder: string) => boolean,
): Promise<readonly string[]> {
  const config = await Promise.all(
    ['config', 'config.worktree'].map(async (name) =>
      (await startsSomething(join(gitFolder, name))) ? [name] : [],
    ),
  )
  const hooks = await readdir(join(gitFolder, 'hooks')).catch(() => [])
  const common = await readFile(join(gitFolder, 'commondir'), 'utf8').catch(() => undefined)
  const commonFolder = common === undefined ? undefined : await realPath(resolve(gitFolder, common.trim()))
  return [
    ...config.flat(),
    ...(hooks.every((name) => name.endsWith('.sample')) ? [] : ['hooks']),
    ...(common === undefined || (commonFolder !== undefined && isTrusted(commonFolder)) ? [] : ['commondir']),
  ]
}

async function startsSomething(file: string): Promise<boolean> {
  const kind = await lstat(file).catch(() => undefined)
  if (kind === undefined) return false
  const text = kind.isFile() ? await readFile(file, 'utf8').catch(() => undefined) : undefined
  return text === undefined || !isHarmlessConfig(text)
}

export function isHarmlessConfig(text: string): boolean {
  let section = ''
  return text.split('\n').every((line) => {
    const bare = line.trim()
    if (bare === '' || /^[#;]/.test(bare)) return true
    const header = /^\[([A-Za-z]+)(?: "[^"\\]*")?\]$/.exec(bare)?.[1]
    if (header !== undefined) {
      section = header.toLowerCase()
      return Object.hasOwn(harmlessSettings, section)
    }
    const [, name = '', value = ''] = /^([A-Za-z][A-Za-z-]*)\s*(?:=\s*([^\\]*))?$/.exec(bare) ?? []
    const isUnderstood = harmlessSettings[section]?.test(name.toLowerCase()) === true
    // Such an address names a program that is started for it.
    return isUnderstood && !value.includes('::')
  })
}

/** What git does not look for any more; nothing of it is lost. @returns the new name */
export async function setAside(path: string): Promise<string> {
  for (let count = 0; ; count += 1) {
    const name = `${path}.untrusted${count === 0 ? '' : `-${count}`}`
    if ((await lstat(name).catch(() => undefined)) !== undefined) continue
    await rename(path, name)
    return basename(name)
  }
}
