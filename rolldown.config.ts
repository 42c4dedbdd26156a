/**
 * The command as few files, for a start of it is waited for. The entry of hooks apart, and as CommonJS, which Node starts in half
 * the time: a hook runs at every call of a tool, and must not load the whole program for it. The library stays as it is.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineConfig, type ChunkingContext, type Plugin, type RolldownOptions } from 'rolldown'
import { licences } from './scripts/licences.ts'
import type * as helpModule from './packages/donecheck/src/cli/help/index.ts'

/** Where the whole program lies: as deep as its sources, for it finds its own files by the way to them. */
const programFolder = 'packages/donecheck/dist/program/cli'

/** V8 keeps text of one byte a letter where it can: half as much is read, hashed and looked at. */
const ascii: Plugin = {
  name: 'nothing but ASCII',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = escaped(file.code)
  },
}

function escaped(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Beside the program, so that the command prints it without loading the program. */
const help: Plugin = {
  name: 'help made beforehand',
  async generateBundle() {
    // By a path that is put together: what this file imports plainly is bundled with it.
    const made = (await import(resolve('packages/donecheck/dist/cli/help/index.js'))) as typeof helpModule
    const pages = Object.fromEntries(made.helpPages().map(({ words, text }) => [JSON.stringify(words), text]))
    this.emitFile({ type: 'asset', fileName: 'help.json', source: JSON.stringify(pages) })
    const schema = JSON.stringify(made.configJsonSchema(), null, 2)
    writeFileSync(join('packages/donecheck', made.configSchemaPath), `${schema}\n`)
  },
}

/** Parts of the program that are loaded one by one, such as a command: so many load a module, or nearly all of them do. */
const [many, most] = [8, 27]

/**
 * Every file costs a start a millisecond, so what many load lies in three: `light` for what is loaded without any schema as well,
 * `base` for what nearly all others load, `loop` for what those do that check or run. Whatever a module imports is loaded by as many
 * or more, so that no file imports one that imports it.
 */
function chunkOf(): (module: string, context: ChunkingContext) => string | null {
  let chunks: ReadonlyMap<string, string> | undefined
  return (module, context) => (chunks ??= chunksOf(context)).get(module) ?? null
}

function chunksOf(context: ChunkingContext): ReadonlyMap<string, string> {
  const closures = entriesOf(context).map((entry) => reachedFrom(entry, context, false))
  const light = new Set(
    closures.filter((closure) => ![...closure].some(isSchemas)).flatMap((each) => [...each]),
  )
  const counts = new Map<string, number>()
  for (const module of closures.flatMap((each) => [...each]))
    counts.set(module, (counts.get(module) ?? 0) + 1)
  const chunkFor = (module: string, count: number) => {
    if (count >= most) return light.has(module) ? 'light' : 'base'
    return count >= many && !light.has(module) ? 'loop' : undefined
  }
  return new Map(
    [...counts].flatMap(([module, count]) => {
      const chunk = chunkFor(module, count)
      return chunk === undefined ? [] : [[module, chunk] as const]
    }),
  )
}

/**
 * Each with all that it loads and the one before it does not: every file costs a start a millisecond. The schemas of events apart,
 * which only a record that is read anew needs: to build them takes as long as all else of a call.
 */
const hookChunks = [
  {
    name: 'events',
    test: /[\\/]events[\\/](?:event|facts[\\/]\w+-facts|parsing[\\/]parse|(?:verdicts|transitions)[\\/]\w+)\.js$/,
    includeDependenciesRecursively: false,
  },
  ...['main', 'session', 'gate', 'read-patch', 'checks'].map((name) => ({
    name,
    test: new RegExp(`[\\\\/](?:cli[\\\\/]hook|session[\\\\/]calls)[\\\\/]${name}\\.js$`),
  })),
].map((group, index) => ({ ...group, priority: 9 - index }))

const isSchemas = (module: string) => /[\\/]zod[\\/]v4[\\/]core[\\/]schemas\.js$/.test(module)

function entriesOf(context: ChunkingContext): readonly string[] {
  const roots = Object.values(programs).map((file) => resolve(file))
  const all = roots.flatMap((root) => [...reachedFrom(root, context, true)])
  const late = all.flatMap((module) => context.getModuleInfo(module)?.dynamicallyImportedIds ?? [])
  return [...new Set([...roots, ...late])]
}

/** With what is imported late, or without. */
function reachedFrom(entry: string, context: ChunkingContext, withLate: boolean): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [entry]
  for (let module = open.pop(); module !== undefined; module = open.pop()) {
    if (reached.has(module)) continue
    reached.add(module)
    const info = context.getModuleInfo(module)
    open.push(...(info?.importedIds ?? []), ...(withLate ? (info?.dynamicallyImportedIds ?? []) : []))
  }
  return reached
}

const programs = { main: 'packages/donecheck/dist/cli/main.js' }

const forNode: RolldownOptions = {
  platform: 'node',
  preserveEntrySignatures: 'allow-extension',
  // The other form of some libraries loads its parts by names that only it can know.
  resolve: { mainFields: ['module', 'main'] },
  // What runs for long anyway or is seldom needed, and what the user has installed himself.
  external: [
    /^ai$/,
    /^@ai-sdk\//,
    /^@agentclientprotocol\//,
    /^@modelcontextprotocol\//,
    /^@opentelemetry\//,
    /^(?:@fast-check\/)?vitest/,
    /^fast-check/,
    /^fast-xml-parser$/,
    /^@earendil-works\//,
    // It finds the page beside itself.
    /^@donecheck\/server$/,
    // Only those have it who have more than one machine.
    /^@donecheck\/fleet(?:\/|$)/,
  ],
}

export default defineConfig([
  {
    ...forNode,
    input: { main: 'packages/donecheck/dist/cli/hook/main.js' },
    treeshake: { moduleSideEffects: false },
    plugins: [ascii, licences],
    output: {
      dir: 'packages/donecheck/dist/hook',
      format: 'cjs',
      minify: true,
      cleanDir: true,
      codeSplitting: { groups: hookChunks },
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
    },
  },
  {
    ...forNode,
    input: programs,
    plugins: [ascii, licences, help],
    output: {
      dir: programFolder,
      format: 'esm',
      // The name of a policy stands in the record.
      minify: { compress: true, codegen: true, mangle: { keepNames: true } },
      cleanDir: true,
      codeSplitting: { groups: [{ name: chunkOf(), includeDependenciesRecursively: false }] },
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    },
  },
])
