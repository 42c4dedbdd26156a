import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { palette } from './router.ts'

export interface PlotLine {
  readonly name: string
  readonly values: readonly (number | null)[]
  readonly isMain: boolean
  readonly isColumn?: boolean
}

interface PlotProps {
  readonly label: string
  readonly at: readonly number[]
  readonly lines: readonly PlotLine[]
  readonly xWords: (value: number) => string
  readonly yWords: (value: number) => string
  readonly top?: number
}

const height = 190

/** Turns, weeks and seconds are integers. */
const wholeSteps = [1, 2, 5]
  .flatMap((step) => [1, 10, 100, 1_000, 10_000].map((power) => step * power))
  .toSorted((one, other) => one - other)

export function Plot(props: PlotProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<uPlot>(undefined)
  const colours = palette.value
  const names = props.lines.map(({ name, isMain }) => `${name}${isMain}`).join()
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const plot = new uPlot(optionsOf(props, element), dataOf(props), element)
    drawn.current = plot
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
      drawn.current = undefined
    }
  }, [colours, names])
  useEffect(() => drawn.current?.setData(dataOf(props)), [props.at, props.lines])
  return <div class="plot" ref={box} role="img" aria-label={props.label} />
}

function dataOf({ at, lines }: PlotProps): uPlot.AlignedData {
  return [[...at], ...lines.map(({ values }) => [...values])]
}

function optionsOf({ lines, xWords, yWords, top }: PlotProps, element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--quiet'),
    font: `11px ${style.fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1, size: 4 },
  }
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: {
        time: false,
        range: (_, least, most) =>
          lines.some(({ isColumn }) => isColumn)
            ? [least - 0.6, most + 0.6]
            : [least, Math.max(most, least + 1)],
      },
      y: { range: (_, least, most) => [Math.min(0, least), top ?? Math.max(1, most)] },
    },
    axes: [
      { ...axis, size: 30, incrs: wholeSteps, values: (_, values) => values.map(xWords) },
      { ...axis, size: 48, values: (_, values) => values.map(yWords) },
    ],
    series: [{}, ...lines.map((line, index) => seriesOf(line, index, colour))],
  }
}

const dashes = [[], [6, 4], [2, 3], [8, 3, 2, 3]]

function seriesOf(
  { name, isMain, isColumn = false }: PlotLine,
  index: number,
  colour: (name: string) => string,
): uPlot.Series {
  const stroke = colour(isMain ? '--accent' : '--quiet')
  const columns = uPlot.paths.bars?.({ size: [0.6, 36] })
  return {
    label: name,
    stroke,
    width: isMain ? 2 : 1.25,
    dash: isMain ? [] : [...(dashes[index % dashes.length] ?? [])],
    points: { show: false },
    ...(isColumn ? { fill: stroke, ...(columns === undefined ? {} : { paths: columns }) } : {}),
  }
}
