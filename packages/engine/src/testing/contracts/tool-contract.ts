import { test } from '@fast-check/vitest'
import fc from 'fast-check'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { PreparedCall, Tool } from '../../ports/loop.ts'
import { gitOrWalkWorkspace } from '../../system/trees/index.ts'

export interface ToolCase {
  readonly make: (workFolder: string) => Tool
  readonly good: Readonly<Record<string, JsonValue>>
  /** Argument that names a file or folder, if any. */
  readonly pathArgument?: string
}

const never = new AbortController().signal
const folders: string[] = []

/** A folder with `a.txt` ("one", "two") and `d/b.txt`, next to files no tool may reach. */
export function toolFolder(): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-tool-')))
  folders.push(base)
  const folder = join(base, 'work')
  mkdirSync(join(folder, 'd'), { recursive: true })
  writeFileSync(join(base, 'outside.txt'), 'not yours\n')
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n')
  writeFileSync(join(folder, 'd/b.txt'), 'one\n')
  return folder
}

export function removeToolFolders(): void {
  for (const base of folders.splice(0)) rmSync(base, { recursive: true, force: true })
}

export async function ready(tool: Tool, args: JsonValue): Promise<Extract<PreparedCall, { kind: 'ready' }>> {
  const prepared = await tool.prepare(args)
  if (prepared.kind !== 'ready')
    throw new TypeError(`${tool.name} does not do ${JSON.stringify(args)}: ${JSON.stringify(prepared)}`)
  return prepared
}

function fingerprint(folder: string): Promise<string> {
  return gitOrWalkWorkspace(join(folder, '..')).fingerprint(never)
}

export function toolContract(name: string, { make, good, pathArgument }: ToolCase): void {
  describe(`${name} is a tool`, () => {
    afterEach(removeToolFolders)

    it('describes itself and its arguments', () => {
      const tool = make(toolFolder())
      expect(tool.name).toBe(name)
      expect(tool.description).not.toBe('')
      expect(tool.parameters).toMatchObject({ type: 'object', additionalProperties: false })
      expect(propertiesOf(tool)).toEqual(expect.arrayContaining(Object.keys(good)))
    })

    const anything = fc.jsonValue({ maxDepth: 2 }).map((value) => value as JsonValue)
    const nearlyGood = fc
      .uniqueArray(fc.tuple(fc.constantFrom(...propertiesOf(make('/'))), anything), {
        selector: ([key]) => key,
      })
      .map((entries): Record<string, JsonValue> => Object.fromEntries(entries))
    const args: fc.Arbitrary<JsonValue> = fc.oneof(
      anything,
      nearlyGood,
      nearlyGood.map((some) => ({ ...good, ...some })),
    )

    test.prop([args], { numRuns: 60 })('answers any arguments, with a summary or a reason', async (given) => {
      const prepared = await make(toolFolder()).prepare(given)
      if (prepared.kind === 'invalid') expect(prepared.reason).not.toBe('')
      else expect(prepared.summary).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u)
    })

    it('names an argument that it does not know', async () => {
      const prepared = await make(toolFolder()).prepare({ ...good, no_such_argument: 1 })
      expect(prepared).toMatchObject({
        kind: 'invalid',
        reason: expect.stringContaining('no_such_argument') as string,
      })
    })

    it.each(Object.keys(good))('names the argument %s when it is of the wrong type', async (key) => {
      const prepared = await make(toolFolder()).prepare({ ...good, [key]: [] })
      expect(prepared).toMatchObject({ kind: 'invalid', reason: expect.stringContaining(key) as string })
    })

    it('changes nothing while it prepares', async () => {
      const folder = toolFolder()
      const before = await fingerprint(folder)
      await ready(make(folder), good)
      expect(await fingerprint(folder)).toBe(before)
    })

    it('does what it was asked, and changes something only if its effect says so', async () => {
      const folder = toolFolder()
      const before = await fingerprint(folder)
      const tool = make(folder)
      expect(await (await ready(tool, good)).run(never)).toMatchObject({ status: 'ok' })
      if (tool.effect === 'read') expect(await fingerprint(folder)).toBe(before)
      if (tool.effect === 'write') expect(await fingerprint(folder)).not.toBe(before)
    })

    it('does nothing once it is interrupted', async () => {
      const folder = toolFolder()
      const before = await fingerprint(folder)
      const outcome = await (await ready(make(folder), good)).run(AbortSignal.abort())
      expect(outcome.status).toBe('interrupted')
      expect(await fingerprint(folder)).toBe(before)
    })

    if (pathArgument === undefined) return
    const outside = ['../outside.txt', '/etc/hostname', 'd/../../outside.txt', 'link', 'gone', 'nul\0']

    it.each(outside)('refuses the path %j, and names it', async (path) => {
      const folder = toolFolder()
      symlinkSync('../outside.txt', join(folder, 'link'))
      symlinkSync('../not-yet.txt', join(folder, 'gone'))
      const prepared = await make(folder).prepare({ ...good, [pathArgument]: path })
      expect(prepared).toMatchObject({
        kind: 'invalid',
        reason: expect.stringContaining(JSON.stringify(path)) as string,
      })
    })

    it('refuses to run when a symlink was put in the way meanwhile', async () => {
      const folder = toolFolder()
      const path = join(folder, z.string().parse(good[pathArgument]))
      const prepared = await ready(make(folder), good)
      rmSync(path, { recursive: true, force: true })
      symlinkSync(join(folder, '../outside.txt'), path)
      const before = await fingerprint(folder)
      const outcome = await prepared.run(never)
      expect(outcome.status).toBe('error')
      expect(outcome.output).not.toContain('not yours')
      expect(await fingerprint(folder)).toBe(before)
    })
  })
}

function propertiesOf({ parameters }: Tool): readonly string[] {
  const isObject = typeof parameters === 'object' && parameters !== null && 'properties' in parameters
  const properties = isObject ? parameters['properties'] : undefined
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}
