const eraseLine = '\r\u001B[2K'
const refreshMs = 500

/** One line at the bottom of a terminal that is written over and over. Without a terminal it does nothing. */
export function statusLine(stream: NodeJS.WriteStream, isLive: boolean) {
  let text: (() => string) | undefined
  let isShown = false
  const draw = () => {
    if (text === undefined) return
    const width = Math.max(20, stream.columns || 80)
    stream.write(`${eraseLine}${text().slice(0, width - 1)}`)
    isShown = true
  }
  const timer = isLive ? setInterval(draw, refreshMs) : undefined
  timer?.unref()
  const clear = () => {
    text = undefined
    if (isShown) stream.write(eraseLine)
    isShown = false
  }
  return {
    show(next: () => string) {
      if (!isLive) return
      text = next
      draw()
    },
    clear,
    close() {
      clear()
      clearInterval(timer)
    },
  }
}
