/** Where a UTF-8 text may be cut without breaking a character. */

const longestCharacter = 4

/** Bytes at the end that begin a character and do not finish it: 0 to 3. */
export function countUnfinishedBytes(bytes: Uint8Array): number {
  const furthest = Math.min(longestCharacter - 1, bytes.length)
  for (let back = 1; back <= furthest; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (isContinuation(byte)) continue
    return characterLength(byte) > back ? back : 0
  }
  return 0
}

/** Bytes at the start that continue a character whose first byte is not there: 0 to 3. */
export function countContinuationBytes(bytes: Uint8Array): number {
  let count = 0
  while (count < longestCharacter - 1 && count < bytes.length && isContinuation(bytes[count] ?? 0)) count += 1
  return count
}

function isContinuation(byte: number): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000
}

function characterLength(firstByte: number): number {
  if (firstByte >= 0b1111_1000) return 1
  if (firstByte >= 0b1111_0000) return 4
  if (firstByte >= 0b1110_0000) return 3
  return firstByte >= 0b1100_0000 ? 2 : 1
}
