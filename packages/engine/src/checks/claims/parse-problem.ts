import { join } from 'node:path'
import { readBytes } from '../../system/files/index.ts'

const maxBytes = 1024 * 1024
const script = /\.(?:[cm]?[jt]s|[jt]sx)$/
/** JSON of which some readers allow more than the standard does. */
const looseJson =
  /(?:^|\/)(?:[tj]sconfig[^/]*|\.[^/]+|devcontainer|settings|launch|tasks|extensions|deno|biome|wrangler|turbo|nx|angular|api-extractor)\.json$|(?:^|\/)\.(?:vscode|devcontainer)\//
/** Files that are there to be broken, or to be filled in. */
const meantBroken =
  /(?:^|\/)[^/]*(?:fixture|invalid|broken|malformed|bad|template|snapshot|testdata|__mocks__)[^/]*(?:\/|\.|$)/i

/**
 * What the parser says of a source of JavaScript, TypeScript or JSON that is no program, in half a sentence. Undefined: it parses,
 * it is in another language, or that cannot be told.
 */
export async function parseProblem(folder: string, path: string): Promise<string | undefined> {
  const isJson = path.endsWith('.json') && !looseJson.test(path)
  if (meantBroken.test(path) || !(isJson || script.test(path))) return undefined
  const file = await readBytes(join(folder, path), maxBytes)
  if (file.kind !== 'file') return undefined
  const text = file.bytes.toString('utf8').replace(/^\uFEFF/, '')
  return isJson ? problemOf(() => JSON.parse(text)) : problemOfScript(path, text)
}

/** The parser is large: it is loaded for who needs it. */
async function problemOfScript(path: string, text: string): Promise<string | undefined> {
  const { parseJavaScript } = await import('../../analysis/source/index.ts')
  return problemOf(() => parseJavaScript(path, text))
}

/** A text that nests too deep for the parser may be a program. */
function problemOf(parse: () => unknown): string | undefined {
  try {
    parse()
    return undefined
  } catch (error) {
    return error instanceof SyntaxError ? (error.message.split('\n')[0] ?? '').slice(0, 200) : undefined
  }
}
