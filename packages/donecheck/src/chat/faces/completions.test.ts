import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { HarmlessCompletions } from './terminal-face.ts'

it('given a file whose name would be obeyed by the terminal, then Tab offers the others alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'donecheck-completions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['evil\u001B]0;x\u0007.txt', 'even.txt', 'evil\n.txt'])
    writeFileSync(join(folder, name), '')
  const { signal } = new AbortController()
  const found = await new HarmlessCompletions([], folder).getSuggestions(['./ev'], 0, 4, { signal })
  expect(found?.items.map(({ label }) => label)).toEqual(['even.txt'])
})
