import { keccak256, type Address, type Hex, type PrivateKeyAccount } from 'viem'
import type { SignedAttempt } from '../../db/broadcast/outbound-rows.ts'
import type { Fees } from './compute-fees.ts'

/** What a transaction does, whoever sends it. */
export interface Call {
  to: Address
  data: Hex
  value: bigint
  gasLimit: bigint
}

/** Wei that a transaction may cost at most. */
export const worstCost = ({ value, gasLimit }: Call, fees: Fees) => gasLimit * fees.maxFeePerGas + value

/** Signs an EIP-1559 transaction. The same input gives the same bytes (RFC 6979), so signing again is harmless. */
export async function signAttempt(
  account: PrivateKeyAccount,
  call: Call,
  { chainId, txNonce, fees }: { chainId: number; txNonce: number; fees: Fees },
): Promise<SignedAttempt> {
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce: txNonce,
    to: call.to,
    data: call.data,
    value: call.value,
    gas: call.gasLimit,
    ...fees,
  })
  return { hash: keccak256(raw), raw, ...fees, reserved: worstCost(call, fees) }
}
