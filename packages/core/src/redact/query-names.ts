/** Names that are secret as query parameters but mean many other things elsewhere; without case and separators. */
export const QUERY_NAMES: readonly string[] = [
  'sig',
  'signature',
  'xamzsignature',
  'xgoogsignature',
  'hmac',
  'auth',
  'key',
  'pass',
  'code',
]
