import { at, type Planted } from './planted.ts'

/** Put together here, so that this file may pass the gate. */
const host = ['registry', 'npmjs', 'org'].join('.')
const mirror = ['artifactory', 'example', 'com'].join('.')
const folder = ['', 'work', 'main'].join('/')
const home = ['', 'root', 'notes.md'].join('/')

export const plantedAddresses: readonly Planted[] = [
  { title: 'a registry in a text', files: { 'README.md': `See https://${host}/x\n` }, caught: ['README.md'] },
  { title: 'a mirror in a setting', files: { 'a.json': `{"r":"https://${mirror}/"}` }, caught: ['a.json'] },
  {
    title: 'a folder in a source',
    files: { [at('engine/base/a.ts')]: `export const a = '${folder}'\n` },
    caught: [at('engine/base/a.ts')],
  },
  { title: 'a home in a recording', files: { 'test/a.json': `{"p":"${home}"}` }, caught: ['test/a.json'] },
  {
    title: 'folders that only sound alike, and a registry of one’s own',
    files: {
      [at('engine/base/a.ts')]:
        'export const a = [`lib/work/a`, `${b}/work/a`, registry.get(1), "/workspace/a", "/work"]\n',
    },
    caught: [],
  },
]

const lock = (resolved: string) => ({ 'package-lock.json': `{\n  "resolved": "${resolved}"\n}\n` })

export const plantedLockFile: readonly Planted[] = [
  { title: 'no lock file', files: {}, caught: ['package-lock.json'] },
  { title: 'an address', files: lock('https://example.com/a.tgz'), caught: ['package-lock.json'] },
  { title: 'a repository', files: lock('git+ssh://git@example.com/a.git'), caught: ['package-lock.json'] },
  { title: 'a workspace', files: lock('packages/donecheck'), caught: [] },
]
