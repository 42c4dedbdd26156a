/** The lines of a project that a check's output points at, as in `test/cart.test.js:12:5`. */
import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'

/** A place is the start of a failing test, or what failed in it: what it calls stands close by. */
const linesBefore = 2
const linesAfter = 3
const maxPlaces = 20

/** Only files inside the folder are read, whatever the output names. */
export async function quotedLines(folder: string, feedback: string): Promise<string> {
  const root = await realpath(folder)
  const places = [...feedback.matchAll(/([^\s()'"]+\.[cm]?[jt]sx?):(\d+)/g)].slice(0, maxPlaces)
  const quotes: string[] = []
  for (const [, name = '', line = ''] of places) {
    const text = await readInside(root, name.replace(/^file:\/\//, ''))
    const index = Number(line) - 1
    quotes.push(...text.split('\n').slice(Math.max(0, index - linesBefore), index + linesAfter + 1))
  }
  return [...new Set(quotes)].join('\n')
}

async function readInside(root: string, name: string): Promise<string> {
  try {
    const file = await realpath(path.resolve(root, name))
    return file.startsWith(root + path.sep) ? await readFile(file, 'utf8') : ''
  } catch {
    return ''
  }
}
