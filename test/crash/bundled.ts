/** A program of these tests with all that it needs in few files: hundreds of children start it, and must not load the whole package. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

export interface Bundled {
  readonly program: string
  /** For every child: they keep it compiled for each other. */
  readonly environment: NodeJS.ProcessEnv
  readonly remove: () => Promise<void>
}

/** @param name of a module, seen from here */
export async function bundled(name: string): Promise<Bundled> {
  const folder = await mkdtemp(join(tmpdir(), 'donecheck-crash-program-'))
  const bundle = await rolldown({
    input: { program: join(import.meta.dirname, name) },
    platform: 'node',
    treeshake: { moduleSideEffects: false },
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    minify: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
  })
  await bundle.close()
  return {
    program: join(folder, 'program.mjs'),
    environment: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
