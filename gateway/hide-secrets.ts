import { describeError } from './describe-error.ts'

/** Members that never reach a log, whatever object holds them: secrets, and whatever links a person to a withdrawal. */
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
  'feeReceiverKey',
  'masterKeys',
  'childViewKey',
  'signature',
  'signedRelayerCommitment',
  'proof',
  'publicSignals',
  'withdrawal',
  'withdrawalData',
  'feeCommitment',
  'recipient',
  'clientAddress',
  'rpcUrls',
  'databaseUrl',
  'redisUrl',
])

/** Deeper nothing is shown: what is not looked through is not known to be free of secrets. */
const DEPTH = 6

/**
 * What may be logged of some fields: secret members are replaced wherever they stand, errors by their description.
 * Written out because declared paths (pino's `redact`) cost three times what the rest of a request does: here a line
 * without anything to hide is looked through once and passed on as it is.
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
  // a date, an address: it says itself what is written
  if ('toJSON' in value) return value
  return hideMembers(value, depth)
}
