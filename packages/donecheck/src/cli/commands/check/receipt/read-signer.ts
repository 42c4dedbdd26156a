/** Who signed a receipt, as far as the options let it be known. */
import { given, messageOf } from '@donecheck/engine/base'
import { differs, matches, notChecked, type ReceiptFile, type ReceiptLine } from '@donecheck/engine/receipt'
import { sshSignerOf } from './ssh-signature.ts'

export interface SignerFlags {
  /** A file as `ssh-keygen` reads it. */
  readonly allowedSigners?: string
  readonly signer?: string
}

export interface FoundSigner {
  /** Undefined if no allowed signer signed it. */
  readonly signedBy?: string
  readonly line: ReceiptLine
}

const what = 'signature'

/** Reads who signed the file. A bad signature, or one that no flag lets us check, names nobody. */
export function readSigner(file: ReceiptFile, flags: SignerFlags): FoundSigner {
  const wanted = flags.signer ?? 'an allowed signer'
  const isWanted = flags.allowedSigners !== undefined || flags.signer !== undefined
  try {
    const signedBy = findSigner(file, flags)
    if (signedBy !== undefined)
      return { signedBy, line: matches(what, signedBy, 'made over the receipt as it stands in the file') }
    return {
      line: isWanted
        ? differs(what, wanted, undefined, 'it has none that these options can check')
        : notChecked(what, undefined, 'name --allowed-signers'),
    }
  } catch (error) {
    return { line: differs(what, wanted, undefined, messageOf(error)) }
  }
}

function findSigner(file: ReceiptFile, { allowedSigners, signer }: SignerFlags): string | undefined {
  if (file.kind !== 'envelope' || allowedSigners === undefined) return undefined
  return sshSignerOfAny(file.signed, file.signatures, { allowedSigners, ...given({ signer }) })
}

/** @throws {Error} where none is good, with what is wrong with the last */
function sshSignerOfAny(
  signed: Uint8Array,
  [signature, ...others]: readonly Uint8Array[],
  choice: Parameters<typeof sshSignerOf>[2],
): string | undefined {
  if (signature === undefined) return undefined
  try {
    return sshSignerOf(signed, signature, choice)
  } catch (error) {
    if (others.length === 0) throw error
    return sshSignerOfAny(signed, others, choice)
  }
}
