import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { at } from './planted/planted.ts'
import { projectOf } from './project.ts'
import { commentLines, exportedStatements, hasDocstring, measureTable, quantile } from './table.ts'

const tree = (text: string) => projectOf(new Map([['a.ts', text]])).treeOf('a.ts')

describe('quantiles', () => {
  it('are values of the list, by nearest rank', () => {
    expect([0.5, 0.9, 1].map((share) => quantile([10, 1, 2, 3, 4, 5, 6, 7, 8, 9], share))).toEqual([5, 9, 10])
    expect(quantile([], 0.5)).toBe(0)
  })

  const values = fc.array(fc.nat(), { minLength: 1 })
  const share = fc.double({ min: 0, max: 1, noNaN: true })

  test.prop([values, share])('leave at most the rest above them', (list, part) => {
    const value = quantile(list, part)
    expect(list.filter((other) => other <= value).length).toBeGreaterThanOrEqual(
      Math.floor(part * list.length),
    )
  })
})

describe('the share of comments', () => {
  it('counts lines that a comment touches, once, and no text that looks like one', () => {
    const text = `/**\n * Two.\n */\nconst a = '// no' // yes\n\nfunction f() {\n  // inside\n  return \`/* no \${'}'} */\` /* also */\n}\nconst r = /[/]* no/\n// end\n`
    expect(commentLines(tree(text))).toBe(7)
  })
})

describe('docstrings', () => {
  it('are asked of what a file declares and exports, not of what it passes on', () => {
    const text = `/** Said. */\nexport const a = 1\nexport type B = 1\nconst c = 1\nexport { c }\nexport { d } from './d.ts'\n`
    expect(exportedStatements(tree(text)).map(hasDocstring)).toEqual([true, false])
  })
})

describe('the table', () => {
  it('has a row for every room, and one for all', () => {
    const files = {
      [at('core/decide/a.ts')]: 'export const a = 1\nexport const b = 2\n',
      [at('core/decide/a.test.ts')]: 'void 0\n',
      [at('engine/base/version.ts')]: 'export const v = 1\n',
    }
    const rows = measureTable(projectOf(new Map(Object.entries(files)))).split('\n')
    expect(rows.map((row) => row.trim().split(/\s+/).slice(0, 3))).toEqual([
      ['room', 'files', 'lines'],
      ['core/decide', '1', '2'],
      ['engine/base', '1', '1'],
      ['core', '1', '2'],
      ['engine', '1', '1'],
      ['agents', '0', '0'],
      ['server', '0', '0'],
      ['fleet', '0', '0'],
      ['conformance', '0', '0'],
      ['donecheck', '0', '0'],
      ['all', '2', '3'],
    ])
  })
})
