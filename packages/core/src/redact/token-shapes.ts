/** A token that shows by itself what it is. */
export interface TokenShape {
  readonly id: string
  readonly title: string
  /** How it may begin. One of these stands at a place before `body` is tried there. */
  readonly starts: readonly string[]
  /**
   * The whole token from its start. Either it takes a run of one class of characters to its end or it is bounded,
   * so that failing is cheap wherever it is tried.
   */
  readonly body: string
}

/** Formats from the providers' documentation and from what secret scanners agree on; lengths are lower bounds. */
export const TOKEN_SHAPES: readonly TokenShape[] = [
  { id: 'anthropic-key', title: 'Anthropic API keys', starts: ['sk-ant-'], body: 'sk-ant-[\\w-]{16,}' },
  { id: 'openrouter-key', title: 'OpenRouter API keys', starts: ['sk-or-'], body: 'sk-or-[\\w-]{30,}' },
  { id: 'langfuse-key', title: 'Langfuse secret keys', starts: ['sk-lf-'], body: 'sk-lf-[\\w-]{30,}' },
  {
    id: 'openai-key',
    title: 'OpenAI API keys and those of services that follow their form',
    starts: ['sk-'],
    body: [
      'sk-(?:(?:proj|svcacct|service|admin|None)-[\\w-]{20,}',
      '[A-Za-z0-9]{40,}[\\w-]*',
      '(?=[A-Za-z]{0,64}[0-9])[A-Za-z0-9]{20,}[\\w-]*',
      '(?!ant-|or-|lf-)(?:[A-Za-z0-9]{1,16}-){1,2}(?=[A-Za-z_]{0,64}[0-9])\\w{20,})',
    ].join('|'),
  },
  {
    id: 'github-token',
    title: 'GitHub tokens, classic and fine-grained',
    starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    body: 'gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\\w{30,}',
  },
  {
    id: 'gitlab-token',
    title: 'GitLab tokens',
    starts: ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-', 'glft-', 'glsoat-', 'glimt-', 'glagent-', 'gloas-'],
    body: 'gl[a-z]{2,5}-[\\w-]{20,}',
  },
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
    id: 'slack-token',
    title: 'Slack tokens',
    starts: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    body: 'xox[abeoprs]-[\\w-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{20,}',
  },
  {
    id: 'slack-webhook',
    title: 'Slack webhook addresses',
    starts: ['services/T', 'workflows/T', 'triggers/T'],
    body: '(?<=hooks\\.slack\\.com/)[a-z]{8,9}/T[\\w/]{20,}',
  },
  {
    id: 'discord-webhook',
    title: 'Discord webhook addresses',
    starts: ['api/webhooks/'],
    body: '(?<=discord(?:app)?\\.com/)api/webhooks/[0-9]{17,20}/[\\w-]{50,}',
  },
  {
    id: 'stripe-key',
    title: 'Stripe secret and restricted keys and webhook secrets',
    starts: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'sk_prod_', 'rk_prod_', 'whsec_'],
    body: '[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/]{20,}={0,2}',
  },
  { id: 'npm-token', title: 'npm tokens', starts: ['npm_'], body: 'npm_[A-Za-z0-9]{30,}' },
  { id: 'pypi-token', title: 'PyPI tokens', starts: ['pypi-'], body: 'pypi-A[\\w-]{40,}' },
  {
    id: 'huggingface-token',
    title: 'Hugging Face tokens',
    starts: ['hf_', 'api_org_'],
    body: '(?:hf|api_org)_[A-Za-z0-9]{30,}',
  },
  { id: 'twilio-key', title: 'Twilio API keys', starts: ['SK'], body: 'SK[0-9a-f]{32}(?![0-9A-Za-z])' },
  {
    id: 'digitalocean-token',
    title: 'DigitalOcean tokens',
    starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    body: 'do[opr]_v1_[0-9a-f]{40,}',
  },
  { id: 'groq-key', title: 'Groq API keys', starts: ['gsk_'], body: 'gsk_[A-Za-z0-9]{40,}' },
  { id: 'xai-key', title: 'xAI API keys', starts: ['xai-'], body: 'xai-[A-Za-z0-9_]{40,}' },
  { id: 'replicate-token', title: 'Replicate tokens', starts: ['r8_'], body: 'r8_[A-Za-z0-9]{30,}' },
  { id: 'perplexity-key', title: 'Perplexity API keys', starts: ['pplx-'], body: 'pplx-[A-Za-z0-9]{32,}' },
  {
    id: 'langsmith-key',
    title: 'LangSmith API keys',
    starts: ['lsv2_'],
    body: 'lsv2_(?:pt|sk)_[0-9a-f]{32}(?:_[0-9a-f]{1,16})?',
  },
  { id: 'nvidia-key', title: 'NVIDIA API keys', starts: ['nvapi-'], body: 'nvapi-[\\w-]{50,}' },
  {
    id: 'tavily-key',
    title: 'Tavily API keys',
    starts: ['tvly-'],
    body: 'tvly-[\\w-]{24,}',
  },
  { id: 'notion-token', title: 'Notion tokens', starts: ['ntn_'], body: 'ntn_[A-Za-z0-9]{40,}' },
  { id: 'linear-key', title: 'Linear API keys', starts: ['lin_api_'], body: 'lin_api_[A-Za-z0-9]{32,}' },
  { id: 'docker-token', title: 'Docker Hub tokens', starts: ['dckr_pat_'], body: 'dckr_pat_[\\w-]{20,}' },
  {
    id: 'shopify-token',
    title: 'Shopify tokens',
    starts: ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    body: 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}',
  },
  { id: 'databricks-token', title: 'Databricks tokens', starts: ['dapi'], body: 'dapi[0-9a-f]{32}(?![0-9A-Za-z])' },
  {
    id: 'grafana-token',
    title: 'Grafana tokens',
    starts: ['glsa_', 'glc_'],
    body: 'glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{40,}={0,2}',
  },
]
