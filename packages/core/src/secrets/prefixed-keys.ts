/**
 * Keys that their issuers mark by how they begin. gitleaks and secretlint hold the same facts; where they bind a length to one
 * value, less is asked for here, because issuers have lengthened their keys before.
 */

interface PrefixedKeys {
  /** `digits-and-letters`: the key has no other characters. `word`: also `-`, `_`, `.` and those of Base64, and then a digit. */
  readonly alphabet: 'digits-and-letters' | 'word'
  /** Fewer characters behind the prefix are none of these keys. */
  readonly atLeast: number
  /** The name that stands in for such a key, and how it begins. */
  readonly prefixes: readonly (readonly [name: string, beginnings: string])[]
}

export const prefixedKeys: readonly PrefixedKeys[] = [
  {
    alphabet: 'digits-and-letters',
    atLeast: 20,
    prefixes: [
      ['github-token', 'ghp_ gho_ ghu_ ghs_ ghr_'],
      ['hub-token', 'hf_ api_org_'],
      ['groq-key', 'gsk_'],
      ['xai-key', 'xai-'],
      ['perplexity-key', 'pplx-'],
      ['replicate-token', 'r8_'],
      ['npm-token', 'npm_'],
      ['rubygems-key', 'rubygems_'],
      ['digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_'],
      ['stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_'],
      ['stripe-webhook-secret', 'whsec_'],
      ['shopify-token', 'shpat_ shpca_ shppa_ shpss_'],
      ['grafana-token', 'glsa_'],
      ['notion-token', 'ntn_ secret_'],
      ['linear-key', 'lin_api_ lin_oauth_'],
      ['vercel-token', 'vcp_ vci_ vca_ vcr_ vck_'],
      ['cloudflare-token', 'cfk_ cfut_ cfat_'],
      ['age-key', 'AGE-SECRET-KEY-1'],
      ['doppler-token', 'dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.'],
      ['pulumi-token', 'pul-'],
      ['new-relic-key', 'NRAK- NRAA- NRII- NRJS-'],
      ['supabase-token', 'sbp_'],
      ['netlify-token', 'nfp_'],
    ],
  },
  {
    alphabet: 'word',
    atLeast: 20,
    prefixes: [
      ['anthropic-key', 'sk-ant-'],
      ['openai-key', 'sk-'],
      ['github-token', 'github_pat_'],
      ['gitlab-token', 'glpat- gldt- glrt- glcbt- glptt- glsoat- glagent- gloas- glft- glimt-'],
      ['google-key', 'AIza'],
      ['google-token', 'ya29. GOCSPX- 1//0'],
      ['slack-token', 'xapp- xoxa- xoxb- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs-'],
      ['pypi-token', 'pypi-AgE'],
      ['docker-token', 'dckr_pat_ dckr_oat_'],
      ['vault-token', 'hvs. hvb. hvr.'],
      ['grafana-token', 'glc_eyJ'],
      ['doppler-token', 'dp.st.'],
      ['figma-token', 'figd_'],
      ['tailscale-key', 'tskey-'],
      ['sentry-token', 'sntrys_ sntryu_'],
      ['onepassword-token', 'ops_eyJ'],
      ['atlassian-token', 'ATATT3 ATCTT3 ATBB'],
      ['square-token', 'sq0atp- sq0csp- sq0idp-'],
      ['mapbox-token', 'pk.eyJ sk.eyJ tk.eyJ'],
      ['postman-key', 'PMAK-'],
      ['planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_'],
      ['circleci-token', 'CCIPAT_'],
      ['heroku-key', 'HRKU-'],
      ['dynatrace-token', 'dt0c01.'],
      ['easypost-key', 'EZAK EZTK'],
    ],
  },
]
