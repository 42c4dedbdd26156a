/** Who signed a receipt, as far as the options let it be known. */
import { given, messageOf, UsageError } from '@donecheck/engine/base'
import { differs, matches, notChecked, type ReceiptFile, type ReceiptLine } from '@donecheck/engine/receipt'
import { assertSigstoreBundle } from './sigstore-bundle.ts'
import { sshSignerOf } from './ssh-signature.ts'

export interface SignerFlags {
  /** A file as `ssh-keygen` reads it. */
  readonly allowedSigners?: string
  readonly trustedRoot?: string
  readonly signer?: string
  readonly issuer?: string
}

export interface FoundSigner {
  /** Undefined: nobody who may. */
  readonly signedBy?: string
  readonly line: ReceiptLine
}

const what = 'signature'

/** A signature that is bad, or that nothing was given to check, names nobody. */
export async function readSigner(file: ReceiptFile, flags: SignerFlags): Promise<FoundSigner> {
  const wanted = flags.signer ?? 'an allowed signer'
  const isAsked = [flags.allowedSigners, flags.trustedRoot, flags.signer, flags.issuer].some(
    (one) => one !== undefined,
  )
  try {
    const signedBy = await signerOf(file, flags)
    if (signedBy !== undefined)
      return { signedBy, line: matches(what, signedBy, 'made over the receipt as it stands in the file') }
    return {
      line: isAsked
        ? differs(what, wanted, undefined, 'it has none that these options can check')
        : notChecked(what, undefined, 'name --allowed-signers, or --trusted-root, --signer and --issuer'),
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    return { line: differs(what, wanted, undefined, messageOf(error)) }
  }
}

async function signerOf(file: ReceiptFile, flags: SignerFlags): Promise<string | undefined> {
  const { allowedSigners, trustedRoot, signer, issuer } = flags
  if (file.kind === 'envelope' && allowedSigners !== undefined) {
    const choice = { allowedSigners, ...given({ signer }) }
    return sshSignerOfAny(file.signed, file.signatures, choice)
  }
  if (file.kind !== 'bundle' || trustedRoot === undefined) return undefined
  if (signer === undefined || issuer === undefined)
    throw new UsageError(
      'a Sigstore bundle can be of anybody: name --signer, and the --issuer who vouches for that name',
    )
  await assertSigstoreBundle(file.bundle, { trustedRoot, signer, issuer })
  return signer
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
