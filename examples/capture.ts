/** Performs work in this process. @returns what it comes to, and what it has written to standard output meanwhile */
export async function capture<Value>(
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly stdout: string }> {
  const write = process.stdout.write.bind(process.stdout)
  let stdout = ''
  process.stdout.write = (piece: string | Uint8Array) => {
    stdout += typeof piece === 'string' ? piece : Buffer.from(piece).toString()
    return true
  }
  try {
    const value = await work()
    return { value, stdout }
  } finally {
    process.stdout.write = write
  }
}
