import { encodePacked, keccak256, type Address, type Hash, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** A buyer's permission. */
export interface Permit {
  orchestrator: Address
  escrow: Address
  depositId: bigint
  amount: bigint
  to: Address
  paymentMethod: Hash
  currency: Hash
  rate: bigint
  /** Seconds since 1970. */
  until: bigint
  chainId: number
}

/** The curator's signature that lets a buyer signal. */
export function signPermit(curatorKey: Hex, permit: Permit): Promise<Hex> {
  const { orchestrator, escrow, depositId, amount, to, paymentMethod, currency, rate, until } = permit
  const said = encodePacked(
    [
      'address',
      'address',
      'uint256',
      'uint256',
      'address',
      'bytes32',
      'bytes32',
      'uint256',
      'uint256',
      'uint256',
    ],
    [
      orchestrator,
      escrow,
      depositId,
      amount,
      to,
      paymentMethod,
      currency,
      rate,
      until,
      BigInt(permit.chainId),
    ],
  )
  return privateKeyToAccount(curatorKey).signMessage({ message: { raw: keccak256(said) } })
}
