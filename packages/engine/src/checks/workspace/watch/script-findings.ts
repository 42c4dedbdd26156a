import { isAbsolute } from 'node:path'
import type { TamperFinding } from '../../../analysis/tamper/index.ts'
import { bytePathOfText, type BytePath } from '../tree/byte-path.ts'
import type { Marks } from '../snapshot/manifest.ts'
import { absent, type NamedScripts } from './check-scripts.ts'

/** What is known of the scripts of the checks beside their marks. */
export interface ScriptsKnown {
  /** Names that stand in the command lines of the checks, and what reads them. */
  readonly named: NamedScripts
  /** It is a file of the baseline tree, or of the delivered one, where the trees are compared. */
  readonly isInTree: (path: BytePath) => boolean
  /** The checks themselves wrote it before anybody else had worked. */
  readonly isWrittenByChecks: (path: BytePath) => boolean
}

interface Moved {
  readonly name: string
  readonly was: string
  readonly is: string
}

/** What became of the scripts that lie outside of the tree, are ignored by git, or stand behind a link. */
export function scriptFindings(before: Marks, now: Marks, known: ScriptsKnown): readonly TamperFinding[] {
  return Object.entries(before).flatMap(([name, was]): readonly TamperFinding[] => {
    const is = now[name] ?? absent
    if (known.isInTree(bytePathOfText(name))) return []
    if (is !== was && !(isNoFile(was) && isNoFile(is))) return [besideTree({ name, was, is }, known)]
    return isComparable(is) ? [] : [{ ...incomparable, path: name }]
  })
}

function besideTree({ name, was, is }: Moved, { named, isWrittenByChecks }: ScriptsKnown): TamperFinding {
  const isUsual = isWrittenByChecks(bytePathOfText(name))
  const atMost = isUsual ? { atMost: 'note' as const } : {}
  const what = `a check runs it, and it ${became(was, is)} during the run`
  if (isAbsolute(name))
    return {
      ...{ rule: 'outside.touched', path: name, ...atMost },
      message: `${what}; it lies outside of the work folder`,
    }
  const isMade = (was === absent && named.has(name)) || isBuilt(name, was, is)
  return {
    ...{ rule: 'check-script.changed', path: name, ...(isMade ? { atMost: 'note' } : atMost) },
    message: `${what}; git does not know it, or it is behind a link`,
  }
}

/** What is compiled from sources changes with them. */
function isBuilt(name: string, was: string, is: string): boolean {
  const isOutput = /(?:^|\/)(?:dist|build|out|lib|esm|cjs|target|\.next|\.output)\/.*\.[cm]?js$/u.test(name)
  return isOutput || (was.startsWith('binary ') && is.startsWith('binary '))
}

const incomparable = {
  rule: 'check-script.changed',
  message: 'a check runs it, and it cannot be read as a whole: it is not compared',
  atMost: 'note',
} as const

function isComparable(mark: string): boolean {
  return isNoFile(mark) || /[0-9a-f]{64}$/u.test(mark)
}

function isNoFile(mark: string): boolean {
  return mark === absent || mark === 'folder'
}

function became(was: string, is: string): string {
  if (was === absent) return 'appeared'
  return is === absent ? 'was removed' : 'was changed'
}
