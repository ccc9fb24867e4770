import type { RecoveryChain } from 'stealth-relay/client/recovery'
import { getAddress, isAddress, isAddressEqual } from 'viem'
import { ENTRYPOINT } from './texts.ts'

/**
 * Returns a chain with the Entrypoint of its pools as a person names it. A false one can take nothing: its pools are called
 * with the proof of a deposit only.
 * @throws Error in words: for a chain whose Entrypoint is known, or where no contract is.
 */
export async function nameEntrypoint(chain: RecoveryChain, text: string): Promise<RecoveryChain> {
  const { name, reader } = chain
  if (!isAddress(text)) throw new Error(ENTRYPOINT.bad(text))
  const entrypoint = getAddress(text)
  if (chain.entrypoint && !isAddressEqual(chain.entrypoint, entrypoint))
    throw new Error(ENTRYPOINT.known(name, chain.entrypoint))
  const code = await reader.getCode({ address: entrypoint })
  if (code === undefined || code === '0x') throw new Error(ENTRYPOINT.none(name, entrypoint))
  return { ...chain, entrypoint }
}
