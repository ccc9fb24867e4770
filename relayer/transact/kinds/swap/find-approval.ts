import { hexToBigInt, slice, toEventHash, type Address, type Hex } from 'viem'
import type { SimulatedRun } from '../../intents/simulated-run.ts'

/** ERC-20 and ERC-721 share this event; ERC-721 indexes its last member, the token id. */
const APPROVAL = toEventHash('Approval(address,address,uint256)')
/** Event of ERC-721 and ERC-1155. */
const APPROVAL_FOR_ALL = toEventHash('ApprovalForAll(address,address,bool)')

const addressIn = (word: Hex): Address => slice(word, 12)

/**
 * Finds a spender to whom a run leaves an allowance over assets of the owner; null without one. An allowance that is
 * used up without an event counts as remaining.
 */
export function findApproval({ logs }: Pick<SimulatedRun, 'logs'>, owner: Address): Address | null {
  const standing = new Map<string, Address>()
  const own = owner.toLowerCase()
  for (const { address, topics, data } of logs) {
    const [event, ownerWord, spenderWord, numberWord] = topics
    if ((event !== APPROVAL && event !== APPROVAL_FOR_ALL) || !ownerWord || !spenderWord) continue
    if (addressIn(ownerWord).toLowerCase() !== own) continue
    // An approval of one token id replaces the one before it; other approvals are tracked by spender.
    const key = `${address} ${event} ${numberWord ?? spenderWord}`.toLowerCase()
    const given = numberWord === undefined ? data : spenderWord
    if (given === '0x' || hexToBigInt(given) === 0n) standing.delete(key)
    else standing.set(key, addressIn(spenderWord))
  }
  const [first] = standing.values()
  return first ?? null
}
