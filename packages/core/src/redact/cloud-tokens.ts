import type { TokenShape } from './token-shape.js'

/** Keys of clouds, hosts and databases. */
export const CLOUD_TOKENS: readonly TokenShape[] = [
  {
    id: 'aws-access-key',
    title: 'AWS access key ids',
    starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    body: 'A(?:KI|SI|BI|CC)A[A-Z0-9]{16}(?![A-Za-z0-9_])',
  },
  { id: 'google-api-key', title: 'Google API keys', starts: ['AIza'], body: 'AIza[\\w-]{30,}' },
  {
    id: 'google-oauth',
    title: 'Google OAuth client secrets and refresh tokens',
    starts: ['GOCSPX-', '1//0'],
    body: 'GOCSPX-[\\w-]{20,}|1//0[\\w-]{36,}',
  },
  {
    id: 'digitalocean-token',
    title: 'DigitalOcean tokens',
    starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    body: 'do[opr]_v1_[0-9a-f]{40,}',
  },
  { id: 'databricks-token', title: 'Databricks tokens', starts: ['dapi'], body: 'dapi[0-9a-f]{32}(?![0-9A-Za-z])' },
  {
    id: 'bedrock-key',
    title: 'Amazon Bedrock API keys',
    starts: ['ABSK', 'bedrock-api-key-'],
    body: 'ABSKQmVkcm9ja0FQSUtleS[A-Za-z0-9+/]{60,}={0,2}|bedrock-api-key-[A-Za-z0-9+/]{40,}={0,2}',
  },
  {
    id: 'cloudflare-token',
    title: 'Cloudflare API tokens and keys',
    starts: ['cfut_', 'cfat_', 'cfk_'],
    body: 'cf(?:ut|at|k)_[A-Za-z0-9]{40,}',
  },
  {
    id: 'vercel-token',
    title: 'Vercel tokens and keys',
    starts: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
    body: 'vc[piark]_[\\w-]{40,}',
  },
  {
    id: 'netlify-token',
    title: 'Netlify tokens',
    starts: ['nfp_', 'nfc_', 'nfo_', 'nfb_', 'nfu_'],
    body: 'nf[pcobu]_[A-Za-z0-9]{36}',
  },
  {
    id: 'supabase-key',
    title: 'Supabase secret keys and personal tokens',
    starts: ['sbp_', 'sb_secret_'],
    body: 'sbp_(?:fc)?[0-9a-f]{40}|sb_secret_[\\w-]{20,}',
  },
  { id: 'heroku-key', title: 'Heroku API keys', starts: ['HRKU-'], body: 'HRKU-[\\w-]{30,}' },
  {
    id: 'fly-token',
    title: 'Fly.io tokens',
    starts: ['fm1r_', 'fm1a_', 'fm2_', 'fo1_'],
    body: 'f(?:m1r|m1a|m2|o1)_[A-Za-z0-9+/_-]{40,}={0,2}',
  },
  { id: 'render-key', title: 'Render API keys', starts: ['rnd_'], body: 'rnd_(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{24,}' },
  {
    id: 'alibaba-key',
    title: 'Alibaba Cloud access key ids',
    starts: ['LTAI'],
    body: 'LTAI(?=[A-Za-z]{0,20}[0-9])[A-Za-z0-9]{12,24}(?!\\w)',
  },
  {
    id: 'tencent-key',
    title: 'Tencent Cloud secret ids',
    starts: ['AKID'],
    body: 'AKID(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{32,40}(?!\\w)',
  },
  { id: 'yandex-key', title: 'Yandex Cloud API keys', starts: ['AQVN'], body: 'AQVN[\\w-]{35,38}(?![\\w-])' },
  {
    id: 'scaleway-key',
    title: 'Scaleway access keys',
    starts: ['SCW'],
    body: 'SCW(?=[A-Z]{0,16}[0-9])[A-Z0-9]{17}(?!\\w)',
  },
  {
    id: 'planetscale-key',
    title: 'PlanetScale passwords and tokens',
    starts: ['pscale_'],
    body: 'pscale_(?:pw|tkn|oauth)_[\\w-]{32,}',
  },
  {
    id: 'neon-key',
    title: 'Neon passwords and API keys',
    starts: ['npg_', 'napi_'],
    body: 'npg_(?=[A-Za-z]{0,24}[0-9])[A-Za-z0-9]{12,24}(?!\\w)|napi_[a-z0-9]{50,}',
  },
  { id: 'pulumi-token', title: 'Pulumi access tokens', starts: ['pul-'], body: 'pul-[0-9a-f]{40}' },
  {
    id: 'onepassword-token',
    title: '1Password service account tokens',
    starts: ['ops_eyJ'],
    body: 'ops_eyJ[\\w-]{60,}',
  },
  {
    id: 'age-key',
    title: 'age secret keys',
    starts: ['AGE-SECRET-KEY-1', 'AGE-PLUGIN-'],
    body: 'AGE-(?:SECRET-KEY|PLUGIN-[A-Z0-9]{1,32})-1[A-Z0-9]{40,}',
  },
]
