/** The text with the path of a folder replaced where it stands as a whole path, or as the start of one. */
export function renameFolder(text: string, from: string, to: string): string {
  if (!text.includes(from)) return text
  const pattern = new RegExp(`${from.replace(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`)}(?![\\w.~-])`, 'gu')
  return text.replaceAll(pattern, () => to)
}
