import { DUTIES, type Duty } from '../nodes/relayer-config.ts'
import type { BroadcastEngine } from './broadcast-engine.ts'

/** A fault that stops the service from sending on a chain, or soon will. */
export interface SendingAlarm {
  code: 'SIGNER_DRY' | 'SIGNER_LOW' | 'BASE_FEE_ABOVE_CAP'
  chainId: number
  /** The duty without funds, or the address of a signer. */
  subject: string | null
  detail: string
}

/** Lists the faults of sending on a chain, from memory. @param duties Those that the chain has. */
export function findSendingAlarms(
  chainId: number,
  broadcast: BroadcastEngine,
  duties: readonly Duty[] = DUTIES,
): SendingAlarm[] {
  const above = broadcast.feeAboveCap(chainId)
  const price: SendingAlarm[] = above
    ? [
        {
          code: 'BASE_FEE_ABOVE_CAP',
          chainId,
          subject: null,
          detail: `the base fee is ${above.baseFee} wei, and the cap ${above.cap}`,
        },
      ]
    : []
  const dry = duties
    .filter((duty) => broadcast.runway(chainId, duty) === 0)
    .map((duty): SendingAlarm => ({
      code: 'SIGNER_DRY',
      chainId,
      subject: duty,
      detail: `no signer of ${duty} has coins for gas`,
    }))
  const low = broadcast
    .signers()
    .filter((signer) => signer.chainId === chainId && signer.isLow)
    .map(({ address, runway, paused }): SendingAlarm => ({
      code: 'SIGNER_LOW',
      chainId,
      subject: address,
      detail: `pays for ${runway} transactions${paused ? ', and pauses' : ''}`,
    }))
  return [...dry, ...price, ...low]
}
