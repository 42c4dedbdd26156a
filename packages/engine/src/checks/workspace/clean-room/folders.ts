/** Replaces a folder's path where it is a whole path or the start of one. */
export function renameFolder(text: string, from: string, to: string): string {
  if (!text.includes(from)) return text
  const pattern = new RegExp(`${from.replace(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`)}(?![\\w.~-])`, 'gu')
  return text.replaceAll(pattern, () => to)
}
