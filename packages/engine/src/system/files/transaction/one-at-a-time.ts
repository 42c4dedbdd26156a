const last = new Map<string, Promise<unknown>>()

/** Work of this process on one folder is done one after the other. */
export async function oneAtATime<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (last.get(folder) ?? Promise.resolve()).then(work, work)
  last.set(folder, turn)
  try {
    return await turn
  } finally {
    if (last.get(folder) === turn) last.delete(folder)
  }
}
