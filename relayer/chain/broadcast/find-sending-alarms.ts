import type { RelayingChain } from '../nodes/chain.ts'
import { DUTIES } from '../nodes/relayer-config.ts'
import type { BroadcastEngine } from './broadcast-engine.ts'

/** A fault that stops the service from sending on a chain, or soon will. */
export interface SendingAlarm {
  code: 'SIGNER_DRY' | 'SIGNER_LOW' | 'BASE_FEE_ABOVE_CAP'
  chainId: number
  /** The duty without funds, or the address of a signer. */
  subject: string | null
  detail: string
}

/** Lists the faults of sending on a chain, from memory. */
export function findSendingAlarms(
  chain: Pick<RelayingChain, 'config' | 'head'>,
  broadcast: Pick<BroadcastEngine, 'runway' | 'signers'>,
): SendingAlarm[] {
  const { chainId } = chain.config
  const dry = DUTIES.filter((duty) => broadcast.runway(chainId, duty) === 0).map((duty): SendingAlarm => ({
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
  return [...dry, ...findPriceAlarm(chain), ...low]
}

function findPriceAlarm({ config, head }: Pick<RelayingChain, 'config' | 'head'>): SendingAlarm[] {
  const baseFee = head()?.baseFeePerGas ?? 0n
  const { chainId, relayer } = config
  if (baseFee <= relayer.maxGasPrice) return []
  const detail = `the base fee is ${baseFee} wei, and the cap ${relayer.maxGasPrice}`
  return [{ code: 'BASE_FEE_ABOVE_CAP', chainId, subject: null, detail }]
}
