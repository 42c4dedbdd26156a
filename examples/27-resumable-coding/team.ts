/** Planner, test designer, implementer: who works follows from the next open part of the goal, so a new process goes on where the dead one was. */
import { scriptedAgent, type Agent } from 'donecheck'
import type { SubGoal } from '@donecheck/core'
import type { AgentRequest } from '@donecheck/engine'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { approaches, newTests } from './approaches.ts'

const part = (id: string, checks: readonly string[], after: readonly string[]): SubGoal => {
  return { id, title: id, checks, after, parentId: null, isProposed: false }
}

export const parts = [
  part('plan', ['plan'], []),
  part('tests', ['new tests'], ['plan']),
  part('implementation', ['node --test'], ['tests']),
]

/** Failure memory: approaches that the record calls failed. What a dead process had begun is not among them. */
const failedApproaches = ({ rounds }: AgentRequest['conversation']) =>
  rounds.flatMap(({ text, feedback = '' }) =>
    feedback.includes('"node --test" failed') ? (/^Approach: (.+)$/mu.exec(text)?.[1] ?? []) : [],
  )

/** @param onHalfWritten is told of the second attempt when half of its file is written */
export function team(folder: string, onHalfWritten: (text: string) => Promise<void>): Agent {
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text)
  const roles: Readonly<Record<string, (request: AgentRequest) => Promise<string> | string>> = {
    plan: () => {
      const wishes = readFileSync(path.join(folder, 'README.md'), 'utf8').match(/^- .+$/gmu) ?? []
      write('PLAN.md', wishes.map((wish, index) => `${index + 1}. ${wish.slice(2)}\n`).join(''))
      return 'Planner: every wish of the README is a step.'
    },
    tests: () => {
      write('expiry.test.mjs', newTests)
      return 'Test designer: four tests, which fail as yet.'
    },
    implementation: async ({ conversation }) => {
      const failed = failedApproaches(conversation)
      const next = approaches.find(({ name }) => !failed.includes(name))
      if (next === undefined) return 'Implementer: I have no other idea.'
      write('store.mjs', next.source.slice(0, next.source.length / 2))
      if (failed.length === 1) await onHalfWritten(next.name)
      write('store.mjs', next.source)
      return `Implementer: it is done.\nApproach: ${next.name}`
    },
  }
  const step = (request: AgentRequest) => {
    const role = roles[request.goal?.open.find(({ isNext }) => isNext)?.id ?? '']
    return role === undefined ? 'There is nothing left to do.' : role(request)
  }
  return scriptedAgent([step], { repeatLast: true, description: { sideEffects: true } })
}
