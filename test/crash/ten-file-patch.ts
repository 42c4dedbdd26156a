/** A patch that adds, updates, deletes and moves; ten files are another afterwards. */
import { chmod, lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const files: Readonly<Record<string, readonly [content: string, mode: number]>> = {
  'one.txt': ['one\ntwo\nthree\n', 0o644],
  'two.txt': ['one\r\ntwo\r\n', 0o644],
  'run.sh': ['#!/bin/sh\nexit 1\n', 0o755],
  'secret.txt': ['no final newline', 0o600],
  'old/moved.txt': ['moved\nfar\n', 0o640],
  'old/gone.txt': ['gone\n', 0o644],
  'gone.bin': ['\0\u0001\u0002', 0o644],
  'stays.txt': ['stays\n', 0o644],
}

export const patch = `*** Begin Patch
*** Update File: one.txt
@@
 one
-two
+2
 three
*** Delete File: old/gone.txt
*** Update File: two.txt
@@
-two
+2
*** Add File: added.txt
+added
*** Update File: run.sh
@@
-exit 1
+exit 0
*** Update File: old/moved.txt
*** Move to: new/deep/moved.txt
@@
 moved
-far
+near
*** Update File: secret.txt
@@
-no final newline
+none here
*** Delete File: gone.bin
*** Add File: new/added.txt
+${'a long line '.repeat(1000)}
*** End Patch
`

/** Lays the files that the patch is made for. */
export async function layFiles(root: string): Promise<void> {
  for (const [path, [content, mode]] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
    await chmod(join(root, path), mode)
  }
}

/** Everything below a folder, hidden files too: mode and content. Folders end in a slash. */
export async function treeOf(folder: string, above = ''): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const [path, name] = [join(folder, entry.name), above + entry.name]
    if (entry.isDirectory()) Object.assign(found, { [`${name}/`]: '' }, await treeOf(path, `${name}/`))
    else found[name] = `${((await lstat(path)).mode & 0o7777).toString(8)} ${await readFile(path, 'latin1')}`
  }
  return found
}
