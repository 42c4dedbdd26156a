/** Signatures in Sigstore's bundle format, checked offline against a trusted root that the user has brought. */
import { readFileSync } from 'node:fs'
import { UsageError } from '@donecheck/engine/base'

export interface SigstorePolicy {
  /** A file: `trusted_root.json`. */
  readonly trustedRoot: string
  /** The identity in the certificate, whole: a mail address, or the URL of a workflow. */
  readonly signer: string
  /** Who vouched for it, such as `https://token.actions.githubusercontent.com`. */
  readonly issuer: string
}

/**
 * The certificate, its log and the transparency log are all asked for, one of each.
 * @throws {Error} for a bundle that does not verify, or of another signer, with the reason
 */
export async function assertSigstoreBundle(
  bundle: object,
  { trustedRoot, signer, issuer }: SigstorePolicy,
): Promise<void> {
  const { bundleFromJSON, toSignedEntity, toTrustMaterial, TrustedRoot, Verifier } = await loadSigstore()
  const root = TrustedRoot.fromJSON(JSON.parse(readFileSync(trustedRoot, 'utf8')))
  const signedBy = new Verifier(toTrustMaterial(root)).verify(toSignedEntity(bundleFromJSON(bundle))).identity
  // Compared here, and whole: the verifier takes a text for a pattern that may fit anywhere.
  const found = [signedBy?.subjectAlternativeName, signedBy?.extensions?.issuer]
  if (found[0] !== signer || found[1] !== issuer)
    throw new Error(`it is signed by ${found.map((part) => part ?? 'nobody').join(', for whom vouches ')}`)
}

const packages = ['@sigstore/bundle', '@sigstore/verify', '@sigstore/protobuf-specs']

async function loadSigstore() {
  try {
    const [{ bundleFromJSON }, { toSignedEntity, toTrustMaterial, Verifier }, { TrustedRoot }] =
      await Promise.all([
        import('@sigstore/bundle'),
        import('@sigstore/verify'),
        import('@sigstore/protobuf-specs'),
      ])
    return { bundleFromJSON, toSignedEntity, toTrustMaterial, TrustedRoot, Verifier }
  } catch (cause) {
    throw new UsageError(
      `a Sigstore bundle is checked by packages that are not installed: npm install ${packages.join(' ')} beside donecheck`,
      { cause },
    )
  }
}
