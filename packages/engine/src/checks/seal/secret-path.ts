/** Files whose content is not sent to anybody. */
const secret =
  /(?:^|\/)(?:\.env(?:\.[^/]*)?|\.npmrc|\.netrc|\.pypirc|id_[a-z\d]+|credentials[^/]*)$|\.(?:pem|key|p12|pfx|keystore|jks)$/iu
const example = /\.(?:example|sample|template)$/iu

export function isSecretPath(path: string): boolean {
  return secret.test(path) && !example.test(path)
}
