/** Statements that can only fail more often than the one that they replaced. */

const literal = String.raw`(?:-?\d[\w.]*|"(?:[^"\\]|\\.)*"|true|\[.*\]|\{.*\})`

/** What was asserted, and what may stand there now, between the same beginning and end of the statement. */
const rows: readonly (readonly [then: RegExp, now: RegExp])[] = [
  [
    /\.toBeTruthy\(\)$/u,
    new RegExp(String.raw`\.(?:toBe|toEqual|toStrictEqual)\((?!-?0\)|""\))${literal}\)$`, 'u'),
  ],
  [
    /\.toBeDefined\(\)$/u,
    new RegExp(String.raw`\.(?:toBe|toEqual|toStrictEqual)\((?:${literal}|false|null)\)$`, 'u'),
  ],
  [/\.toBeFalsy\(\)$/u, /\.toBe\((?:false|0|""|null|undefined)\)$/u],
  [/\.toEqual(?=\()/u, /\.toStrictEqual(?=\()/u],
  [/\.toMatchObject(?=\()/u, /\.(?:toEqual|toStrictEqual)(?=\()/u],
  [/^assert\.equal(?=\()/u, /^assert\.strictEqual(?=\()/u],
  [/^assert\.deepEqual(?=\()/u, /^assert\.deepStrictEqual(?=\()/u],
]

/** Both as normalised source of JavaScript. */
export function isStricter(then: string, now: string): boolean {
  return rows.some(([weak, strict]) => {
    const left = weak.exec(then)
    const right = strict.exec(now)
    if (left === null || right === null) return false
    const isSameBeginning = then.slice(0, left.index) === now.slice(0, right.index)
    const isSameEnd = then.slice(left.index + left[0].length) === now.slice(right.index + right[0].length)
    return (
      isSameBeginning && isSameEnd && !/\.not\.?$|\.(?:resolves|rejects)$/u.test(then.slice(0, left.index))
    )
  })
}
