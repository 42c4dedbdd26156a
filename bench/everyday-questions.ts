import { policyGate } from '@donecheck/engine/gate'
import { requestOf } from './gate-decision.ts'
import { everydayLines } from './everyday-lines.ts'
import { rounded, type Table } from './table.ts'

type KindOfLine = keyof typeof everydayLines

/** Of the lines of one kind those that nobody runs without being asked, under `on-request` and without rules. */
export async function askedLines(kind: KindOfLine, isConfined: boolean): Promise<readonly string[]> {
  const gate = policyGate({
    workFolder: '/code/project',
    homeFolder: '/home/person',
    rules: [],
    approval: 'on-request',
    sandbox: { isConfined },
    canBeMadeAgain: (path) =>
      /\/(?:dist|build|coverage|node_modules|\.next|\.cache|__pycache__|target)$/.test(path),
  })
  const decisions = await Promise.all(
    everydayLines[kind].map(async (line) => ({ line, decision: await gate.check(requestOf(line)) })),
  )
  return decisions.filter(({ decision }) => decision.kind !== 'allow').map(({ line }) => line)
}

/** How many of the lines of every day a person is asked for. */
export async function everydayTable(): Promise<Table> {
  const rows = [
    await counted('reading', true, 'none'),
    await counted('reading', false, 'none'),
    await counted('working', true, 'at most 2 %'),
    await counted('working', false, 'no aim: they are not confined'),
    await counted('grave', true, 'all'),
  ]
  return { title: 'questions: everyday lines that a person is asked for, on-request, without rules', rows }
}

async function counted(kind: KindOfLine, isConfined: boolean, aim: string): Promise<Table['rows'][number]> {
  const asked = (await askedLines(kind, isConfined)).length
  const all = everydayLines[kind].length
  const place = isConfined ? 'in a sandbox' : 'without a sandbox'
  return { name: `${kind} ${place}`, lines: all, asked, '%': rounded((asked / all) * 100, 1), aim }
}
