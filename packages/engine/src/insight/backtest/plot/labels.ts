/** Where the names beside a picture stand, so that none covers another. */
export interface Label {
  /** Where it would stand best. */
  readonly wantedY: number
  readonly height: number
}

export interface Room {
  readonly top: number
  readonly bottom: number
}

/**
 * The upper ends of the labels, in their order: each as near to its wanted place as the ones before it and the room allow.
 * Labels that are too many for the room go on below it.
 */
export function placed(labels: readonly Label[], { top, bottom }: Room): readonly number[] {
  const down: number[] = []
  let free = top
  for (const { wantedY, height } of labels) {
    const y = Math.max(free, wantedY - height / 2)
    down.push(y)
    free = y + height
  }
  const needed = labels.reduce((sum, { height }) => sum + height, 0)
  let limit = Math.max(bottom, top + needed)
  return labels.reduceRight<readonly number[]>((places, { height }, index) => {
    limit = Math.min(down[index] ?? top, limit - height)
    return [limit, ...places]
  }, [])
}
