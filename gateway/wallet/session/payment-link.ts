import { isAddressEqual, zeroAddress, type Address } from 'viem'

/** A request for a payment as a link that wallets open (EIP-681). */
export function writePaymentLink({
  chainId,
  to,
  token,
  amount,
}: {
  chainId: number
  to: Address
  /** The zero address is the coin. */
  token: Address
  /** In the smallest unit; null leaves it to the payer. */
  amount: bigint | null
}): string {
  if (isAddressEqual(token, zeroAddress))
    return `ethereum:${to}@${chainId}${amount === null ? '' : `?value=${amount}`}`
  return `ethereum:${token}@${chainId}/transfer?address=${to}${amount === null ? '' : `&uint256=${amount}`}`
}
