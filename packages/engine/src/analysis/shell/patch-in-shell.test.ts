import { describe, expect, it } from 'vitest'
import { patchInShell } from './index.ts'

const patch = '*** Begin Patch\n*** Add File: a\n+$x `y` \\$z (\n*** End Patch\n'

describe('given a command line that only applies a patch', () => {
  it.each([
    `apply_patch <<'EOF'\n${patch}EOF`,
    `apply_patch <<'EOF'\n${patch}EOF\n`,
    `apply_patch << "EOF"\n${patch}EOF\n`,
    `apply_patch <<EOF\n${patch}EOF\n`,
    `applypatch <<'PATCH'\n${patch}PATCH\n`,
    `  apply_patch   <<'any word'\n${patch}any word\n`,
    `"apply_patch" <<'EOF'\n${patch}EOF`,
  ])('takes the patch as it is written', (line) => {
    expect(patchInShell(line)).toEqual({ kind: 'patch', patch, folder: null })
  })

  it.each([
    [`cd sub && apply_patch <<'EOF'\n${patch}EOF\n`, 'sub'],
    [`cd "a b/c" && apply_patch <<'EOF'\n${patch}EOF\n`, 'a b/c'],
    [`cd '../x' && applypatch <<'EOF'\n${patch}EOF\n`, '../x'],
    [`cd a\\ b && applypatch <<EOF\n${patch}EOF\n`, 'a b'],
  ])('tells the folder that it changes to', (line, folder) => {
    expect(patchInShell(line)).toEqual({ kind: 'patch', patch, folder })
  })

  it('takes away the tabs that <<- takes away', () => {
    expect(patchInShell('apply_patch <<-E\n\t*** Begin Patch\n\tE')).toMatchObject({
      patch: '*** Begin Patch\n',
    })
  })
})

describe('given a patch where a command line should stand', () => {
  it.each([patch, `\n  ${patch}`, '*** Begin Patch'])('says so', (line) => {
    expect(patchInShell(line)).toEqual({ kind: 'raw-patch' })
  })
})

describe('given any other command line', () => {
  it.each([
    'ls',
    '',
    'apply_patch',
    `apply_patch '${patch}'`,
    `apply_patch x <<'EOF'\n${patch}EOF`,
    `apply_patch <<'EOF' > log\n${patch}EOF`,
    `apply_patch <<'EOF' 2>&1\n${patch}EOF`,
    `apply_patch <<'EOF' | cat\n${patch}EOF`,
    `apply_patch <<'EOF' &\n${patch}EOF`,
    `! apply_patch <<'EOF'\n${patch}EOF`,
    `X=1 apply_patch <<'EOF'\n${patch}EOF`,
    `apply_patch 3<<'EOF'\n${patch}EOF`,
    `apply_patch <<'EOF'\n${patch}EOF\nls`,
    `ls; apply_patch <<'EOF'\n${patch}EOF`,
    `ls && apply_patch <<'EOF'\n${patch}EOF`,
    `cd a; apply_patch <<'EOF'\n${patch}EOF`,
    `cd a || apply_patch <<'EOF'\n${patch}EOF`,
    `cd a && cd b && apply_patch <<'EOF'\n${patch}EOF`,
    `cd a b && apply_patch <<'EOF'\n${patch}EOF`,
    `cd $x && apply_patch <<'EOF'\n${patch}EOF`,
    `cd ~/a && apply_patch <<'EOF'\n${patch}EOF`,
    `cd && apply_patch <<'EOF'\n${patch}EOF`,
    `( apply_patch <<'EOF'\n${patch}EOF\n)`,
    `apply_patch <<'EOF'\n${patch}`,
    `apply_patch <<< '${patch}'`,
    `my_apply_patch <<'EOF'\n${patch}EOF`,
    `apply_patch <<'EOF'\n${patch}EOF\n(`,
  ])('leaves it to the shell', (line) => {
    expect(patchInShell(line)).toEqual({ kind: 'none' })
  })
})
