import { isAbsolute } from 'node:path'
import { hasScriptName, type TamperFinding } from '../../tamper/index.ts'
import { bytePathOfText, type BytePath } from '../byte-path.ts'
import type { Marks } from '../snapshot/manifest.ts'
import { absent, type NamedScripts } from './check-scripts.ts'

/** What is known of the scripts of the checks beside their marks. */
export interface ScriptsKnown {
  /** Names that stand in the command lines of the checks, and what reads them. */
  readonly named: NamedScripts
  /** Whether it was a plain file of the untouched tree. */
  readonly wasInTree: (path: BytePath) => boolean
  /** Whether it is one of the tree as it is now. */
  readonly isInTree: (path: BytePath) => boolean
  /** The earlier text of a file of the tree that was changed. */
  readonly earlierText: (path: string) => string | undefined
  /** The checks themselves wrote it before anybody else had worked. */
  readonly isWrittenByChecks: (path: BytePath) => boolean
}

interface Moved {
  readonly name: string
  readonly was: string
  readonly is: string
}

/** What became of the scripts, as far as the tree does not show it. */
export function scriptFindings(before: Marks, now: Marks, known: ScriptsKnown): readonly TamperFinding[] {
  return Object.entries(before).flatMap(([name, was]): readonly TamperFinding[] => {
    const moved: Moved = { name, was, is: now[name] ?? absent }
    const path = bytePathOfText(name)
    if (known.wasInTree(path) || (was === absent && known.isInTree(path))) return inTree(moved, known)
    const { is } = moved
    if (is !== was && !(isNoFile(was) && isNoFile(is))) return [besideTree(moved, known)]
    return isComparable(is) ? [] : [{ ...incomparable, path: name }]
  })
}

/** A part of it that another comparison looks at is left to that one. */
function inTree({ name, was, is }: Moved, { named, earlierText }: ScriptsKnown): readonly TamperFinding[] {
  if (is === was || contentOf(is) === contentOf(was)) return []
  const reader = named.get(name)
  // Where the line itself names it, to write it may be the task.
  if (reader !== undefined && was === absent) return []
  if (reader === 'make' || (reader === 'program' && isComparedBySense(name, earlierText(name)))) return []
  return [{ rule: 'check-script.changed', path: name, message: `a check runs it, and it ${became(was, is)}` }]
}

function isComparedBySense(name: string, text: string | undefined): boolean {
  if (hasScriptName(name)) return true
  const isMakefile = /(?:akefile|\.mk)$/u.test(name)
  return text !== undefined && /^#!.*\b(?:ba|da|z|k)?sh\b/u.test(text) && !isMakefile
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

function contentOf(mark: string): string {
  return /[0-9a-f]{64}$/u.exec(mark)?.[0] ?? mark
}

function became(was: string, is: string): string {
  if (was === absent) return 'appeared'
  return is === absent ? 'was removed' : 'was changed'
}
