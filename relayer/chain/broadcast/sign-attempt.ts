import { keccak256, parseSignature, size, type Address, type Hex } from 'viem'
import type { OutboundAuthorization, SignedAttempt } from '../../../db/chain/broadcast/outbound-rows.ts'
import type { Fees } from './compute-fees.ts'
import type { SignerAccount } from './signers.ts'

/** The effect of a transaction, independent of its signer. */
export interface UnsignedCall {
  to: Address
  data: Hex
  value: bigint
  gasLimit: bigint
  /** EIP-7702 delegations that it carries. */
  authorizations?: readonly OutboundAuthorization[] | null
}

/** Most wei that a transaction may cost. */
export const worstCost = ({ value, gasLimit }: UnsignedCall, fees: Fees) =>
  gasLimit * fees.maxFeePerGas + value

/** Bytes around the calldata, and of each authorization. */
const [FRAME_BYTES, AUTHORIZATION_BYTES] = [120, 110]

/** Most bytes of a transaction without its signature. */
export const bytesOf = ({
  data,
  authorizations,
}: Pick<UnsignedCall, 'data'> & { authorizations?: readonly unknown[] | null | undefined }) =>
  bytesAround(size(data), authorizations?.length ?? 0)

/** The same by the size of the calldata and the number of authorizations. */
export const bytesAround = (dataBytes: number, authorizations: number): number =>
  dataBytes + FRAME_BYTES + AUTHORIZATION_BYTES * authorizations

/**
 * Signs an EIP-1559 transaction, or one of EIP-7702 where it carries authorizations. The same input gives the same bytes
 * (RFC 6979), so signing again is harmless.
 * @param terms `extraFee`: most wei that it may cost in addition to its gas.
 */
export async function signAttempt(
  account: SignerAccount,
  call: UnsignedCall,
  { chainId, txNonce, fees, extraFee }: { chainId: number; txNonce: number; fees: Fees; extraFee: bigint },
): Promise<SignedAttempt> {
  const transaction = {
    chainId,
    nonce: txNonce,
    to: call.to,
    data: call.data,
    value: call.value,
    gas: call.gasLimit,
    ...fees,
  }
  const { authorizations } = call
  const raw = await account.signTransaction(
    authorizations?.length
      ? { ...transaction, type: 'eip7702', authorizationList: authorizations.map(toListed) }
      : { ...transaction, type: 'eip1559' },
  )
  return { hash: keccak256(raw), raw, ...fees, reserved: worstCost(call, fees) + extraFee }
}

function toListed({ contractAddress, chainId, authorizationNonce, signature }: OutboundAuthorization) {
  const { r, s, yParity } = parseSignature(signature)
  return { address: contractAddress, chainId, nonce: authorizationNonce, r, s, yParity }
}
