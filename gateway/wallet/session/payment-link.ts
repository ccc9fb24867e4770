import { isAddressEqual, zeroAddress, type Address } from 'viem'

/** A request for a payment as a link that wallets open (EIP-681). */
export function writePaymentLink({
  chainId,
  to,
  token,
  amount,
}: {
  /** Null leaves the chain to the payer. */
  chainId: number | null
  to: Address
  /** The zero address is the coin. */
  token: Address
  /** In the smallest unit; null leaves it to the payer. */
  amount: bigint | null
}): string {
  const on = chainId === null ? '' : `@${chainId}`
  if (isAddressEqual(token, zeroAddress))
    return `ethereum:${to}${on}${amount === null ? '' : `?value=${amount}`}`
  return `ethereum:${token}${on}/transfer?address=${to}${amount === null ? '' : `&uint256=${amount}`}`
}
