/**
 * The file system as the reference uses it: files are written in place, symlinks are followed, nothing is confined.
 * Paths are absolute and normal. Nothing rejects.
 */
export interface CompatibleFiles {
  /** `problem` in the words of the reference, such as `No such file or directory (os error 2)`. */
  read(path: string): Promise<ReadBytes>
  /** Keeps mode, links and inode of a file that is there. */
  write(path: string, bytes: Uint8Array): Promise<'written' | 'no-folder' | 'failed'>
  /** @returns whether the folder of the file is there now */
  createFolderOf(path: string): Promise<boolean>
  /**
   * A symlink goes, not what it leads to.
   * @returns false where nothing is there, a folder, a link that leads to a folder or to nothing, or it may not be deleted
   */
  remove(path: string): Promise<boolean>
}

export type ReadBytes =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly problem: string }
