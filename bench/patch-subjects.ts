/** The ways in which a patch is applied to a folder. Each throws where it is not applied. */
import { spawnSync } from 'node:child_process'
import { commitChanges, confinedFiles, withNewFileModes } from '@donecheck/engine/internal/system/files'
import { planPatch } from '@donecheck/engine/internal/analysis/patch'
import { referenceProgram } from '../test/peers/codex/patch-runs.ts'

export interface PatchPlace {
  readonly folder: string
}

export type Applies = (patch: string, place: PatchPlace) => unknown

const strict = 'donecheck: planned, all or nothing'
export const referenceName = 'codex apply_patch, a process'

/** The reference first, if it is there. */
export function patchSubjects(): Readonly<Record<string, Applies>> {
  const program = referenceProgram
  return {
    ...(program !== undefined && {
      [referenceName]: (patch, place) => applyByProcess(program, patch, place),
    }),
    'a process that does nothing': (_, { folder }) => spawnSync('true', [], { cwd: folder, env: {} }),
    [strict]: applyStrict,
  } satisfies Record<string, Applies>
}

/** It leaves the files as they were. */
export function changesNothing(name: string): boolean {
  return name === 'a process that does nothing'
}

export function aimOf(name: string): string {
  return name === strict ? '<= 0.1' : ''
}

function applyByProcess(program: string, patch: string, { folder }: PatchPlace): void {
  const { status, stderr } = spawnSync(program, [patch], { argv0: 'apply_patch', cwd: folder, env: {} })
  if (status !== 0) throw new Error(`the reference does not apply a case: ${stderr.toString()}`)
}

async function applyStrict(patch: string, { folder }: PatchPlace): Promise<void> {
  const plan = await planPatch(patch, confinedFiles(folder))
  if (plan.kind === 'refused') throw new Error(plan.problems.map(({ message }) => message).join('\n'))
  const committed = await commitChanges(folder, withNewFileModes(plan.changes))
  if (committed.kind !== 'committed') throw new Error(JSON.stringify(committed))
}
