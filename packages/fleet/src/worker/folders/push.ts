/** How the work of a run leaves its worker. */
import type { RunEvent } from '@donecheck/core/events'
import { fold } from '@donecheck/core/state'
import { messageOf as problemOf } from '@donecheck/engine/base'
import type { Credential } from './credentials.ts'
import type { Delivery, KeptBase, KeptStart } from './kept.ts'
import { takenOverBy } from './parts.ts'
import { askRemote } from './remote.ts'
import type { WorkTree } from './work-tree.ts'

export const behind: { readonly delivery: Delivery; readonly commit: undefined } = {
  delivery: {
    kind: 'patch',
    reason:
      'the machine was lost before it had kept the tree with which the run ended: this is an earlier one, which was not checked',
  },
  commit: undefined,
}

interface Push {
  readonly tree: WorkTree
  readonly final: string
  readonly base: KeptBase
  readonly start: KeptStart | undefined
  readonly past: readonly RunEvent[]
  readonly runId: string
  readonly credentials: readonly Credential[]
}

/** @returns also the commit, whether or not it could be pushed: it is the same whoever makes it */
export async function push({ tree, final, base, start, past, runId, credentials }: Push) {
  if (final === tree.baseTree) return { delivery: { kind: 'unchanged' } as const, commit: base.commit }
  if (start !== undefined) return { delivery: takenOverBy(start), commit: base.commit }
  const commit = await tree.commit(final, commitMessage(past, runId), past.at(-1)?.timeMs ?? 0)
  const branch = `donecheck/${runId}`
  const words = ['push', '--quiet', '--no-verify', '--', base.url, `+${commit}:refs/heads/${branch}`]
  const delivery = await askRemote(tree.repository.gitFolder, base.url, words, credentials).then(
    (): Delivery => ({ kind: 'branch', branch, commit }),
    (error: unknown): Delivery => ({ kind: 'patch', reason: problemOf(error) }),
  )
  return { delivery, commit }
}

function commitMessage(past: readonly RunEvent[], runId: string): string {
  const state = fold(past)
  const [subject = ''] = (state?.task ?? '').trim().split('\n')
  const end = state?.phase.kind === 'stopped' ? state.phase.transition.outcome : 'unknown'
  return `${subject.slice(0, 72)}\n\nDonecheck-Run: ${runId}\nDonecheck-Outcome: ${end}\n`
}
