import { getAddress, isAddressEqual, type Address } from 'viem'
import type { Tokens } from '../../market/tokens/tokens.ts'
import { burnAddressRecipient, tokenContractRecipient } from './errors.ts'

/** Addresses to which things are sent to be lost. */
const GRAVES = [
  '0x000000000000000000000000000000000000dEaD',
  '0xdEAD000000000000000042069420694206942069',
  '0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF',
].map((address) => getAddress(address.toLowerCase()))
/** Below it are the zero address and the chains' own contracts. */
const FIRST_ORDINARY = 0x1_0000n

/**
 * Refuses what a payment cannot come back from: zero and burn addresses, and contracts of tokens.
 * @throws ServiceError `bad-request` BURN_ADDRESS_RECIPIENT or TOKEN_CONTRACT_RECIPIENT.
 */
export async function refuseLost(
  { tokens }: { tokens: Pick<Tokens, 'findPublic'> },
  recipient: Address,
  { chainId, token }: { chainId: number; token: Address },
): Promise<void> {
  if (BigInt(recipient) < FIRST_ORDINARY || GRAVES.some((grave) => isAddressEqual(grave, recipient)))
    throw burnAddressRecipient()
  const isToken =
    isAddressEqual(recipient, token) || (await tokens.findPublic({ chainId, address: recipient })) !== null
  if (isToken) throw tokenContractRecipient()
}
