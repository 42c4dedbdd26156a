/** The two halves of every gate: it holds for the real tree, and it bites in planted ones. */
import { describe, expect, it } from 'vitest'
import { withoutExceptions } from './allow-list.ts'
import type { Planted } from './planted/planted.ts'
import { projectOf, type Gate, type Problem, type Project } from './project.ts'

export function describeGate(gate: Gate, tree: Project, planted: readonly Planted[]): void {
  describe(`gate ${gate.name}`, () => {
    it('holds for this tree', () => {
      expect(withoutExceptions(gate.name, gate.find(tree)).map(inOneLine)).toEqual([])
    })

    it('was given something to catch and something to let through', () => {
      expect(new Set(planted.map(({ caught }) => caught.length > 0))).toEqual(new Set([true, false]))
    })

    it.each(planted.filter(({ caught }) => caught.length > 0))('catches $title', ({ files, caught }) => {
      expect(placesOf(gate, files)).toEqual([...caught].toSorted())
    })

    it.each(planted.filter(({ caught }) => caught.length === 0))('lets through $title', ({ files }) => {
      expect(placesOf(gate, files)).toEqual([])
    })
  })
}

function placesOf(gate: Gate, files: Planted['files']): readonly string[] {
  const project = projectOf(new Map(Object.entries(files)))
  return [...new Set(gate.find(project).map(({ where }) => where))].toSorted()
}

function inOneLine({ where, line, message }: Problem): string {
  return line === undefined ? `${where}: ${message}` : `${where}:${line}: ${message}`
}
