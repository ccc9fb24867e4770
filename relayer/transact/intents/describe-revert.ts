import type { RevertReason } from '../../../proving/simulate-job.ts'
import { sanitizeText } from '../../market/tokens/sanitize-text.ts'
import { simulationFailed } from '../../chain/errors.ts'
import type { ServiceError } from '../../service-error.ts'

/** Most visible characters of a contract's own text. */
const MAX_WORDS = 120

/**
 * Describes the reason of a revert for clients: an error's name without its arguments, or a panic with its
 * meaning. A contract's own text becomes one quoted line of at most 120 visible characters.
 */
export function describeRevert({ name, text }: RevertReason): string {
  if (name === 'Panic') return `Panic: ${text}`
  if (name === 'Error') {
    const words = sanitizeText(text, MAX_WORDS).text.replaceAll('"', "'")
    return words === '' ? 'reverted without a reason' : `reverted with "${words}"`
  }
  if (name !== null) return name
  const [selector] = /^0x[0-9a-f]{8}/i.exec(text) ?? []
  return selector ? `the error ${selector}` : 'reverted without a reason'
}

/**
 * Creates the error for a transfer that the chain would refuse. It quotes a contract's text, which may name anybody.
 */
export function refuseTransfer(revert: RevertReason): ServiceError {
  return simulationFailed(`The chain would refuse this transfer: ${describeRevert(revert)}`)
}
