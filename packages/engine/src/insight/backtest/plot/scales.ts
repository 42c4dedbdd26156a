/** Where a share stands in the picture. Both scales are wide at small numbers, because there the detectors differ. */
export const plot = { left: 70, right: 520, top: 60, bottom: 430 }

/** Per cent of resolved runs ended. 0 has a place of its own at the left; from the first mark on the scale is logarithmic. */
export const killMarks: readonly number[] = [0, 0.1, 0.3, 1, 3, 10, 30, 100]

const savedMarks: readonly number[] = [0, 0.5, 1, 2, 5, 10, 20, 40, 60, 80, 100]

export function xOf(percent: number): number {
  const [, first = 0.1] = killMarks
  const step = (plot.right - plot.left) / (killMarks.length - 1)
  if (percent <= first) return plot.left + (percent / first) * step
  return plot.left + step + (Math.log10(percent / first) / 3) * (plot.right - plot.left - step)
}

/** `top`: the upper end of the scale in per cent. Heights grow with the square root. */
export function yOf(percent: number, top: number): number {
  return plot.bottom - Math.sqrt(Math.min(percent, top) / top) * (plot.bottom - plot.top)
}

/** The mark that holds the highest dot and the aim. */
export function topMark(highest: number): number {
  return savedMarks.find((mark) => mark >= Math.max(highest, 10)) ?? 100
}

/** Marks that have room for their numbers. */
export function savedMarksUpTo(top: number): readonly number[] {
  let last = Infinity
  return savedMarks.filter((mark) => {
    if (mark > top || last - yOf(mark, top) < 16) return false
    last = yOf(mark, top)
    return true
  })
}
