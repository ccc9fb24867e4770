import { describeError } from './describe-error.ts'

/**
 * Members that are never logged, whatever object has them: secrets, and values that link a person to a withdrawal.
 */
const SECRET_MEMBERS = new Set([
  'authorization',
  'cookie',
  'token',
  'accessToken',
  'apiKey',
  'password',
  'secret',
  'privateKey',
  'signerKeys',
  'relaySignerKeys',
  'feeReceiverKey',
  'masterKeys',
  'childViewKey',
  'signature',
  'signedRelayerCommitment',
  'proof',
  'publicSignals',
  'withdrawal',
  'withdrawals',
  'nullifierHash',
  'newCommitment',
  'withdrawalData',
  'feeCommitment',
  'recipient',
  'clientAddress',
  'rpcUrls',
  'databaseUrl',
  'directUrl',
  'redisUrl',
])

/** Nothing below this depth is shown, because it was not searched for secrets. */
const DEPTH = 6

/**
 * The fields that may be logged: secret members are replaced at every depth, errors by their description. pino's
 * declared paths (`redact`) cost three times as much as the rest of a request. Here, a line with nothing to hide is
 * searched once and returned unchanged.
 */
export function hideSecrets<Fields extends object>(fields: Fields): Fields {
  return hideMembers(fields, 0)
}

function hideMembers<Fields extends object>(fields: Fields, depth: number): Fields {
  let shown = fields
  for (const [name, value] of Object.entries(fields)) {
    const kept = SECRET_MEMBERS.has(name) ? '[redacted]' : hideWithin(value, depth + 1)
    if (kept === value) continue
    if (shown === fields) shown = (Array.isArray(fields) ? [...fields] : { ...fields }) as Fields
    ;(shown as Record<string, unknown>)[name] = kept
  }
  return shown
}

function hideWithin(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return describeError(value)
  if (depth > DEPTH) return '[too deep]'
  // Dates and addresses define their own text.
  if ('toJSON' in value) return value
  return hideMembers(value, depth)
}
