import { numberToHex, type Address, type Hash } from 'viem'
import { askNodes, WrongAnswerError, type AskOne } from './ask-nodes.ts'
import type { ChainIndex } from './chain-index.ts'
import { FUNDED_ADDRESSES_CODE } from './funded-addresses-code.ts'
import { separateOwners } from './separate-owners.ts'

/** Addresses per call: keeps the code of the call below a chain's limit (EIP-3860). */
const PER_CALL = 1_000
/** With more addresses of one account, each is read later. */
const MOST_GROUPS = 64

/**
 * Returns the addresses that have native coins at the newest head. Returns all of them where no node can answer, or where
 * one account has many of them. Later moves are found in the blocks.
 */
export async function findFunded(
  { nodes, chain, log }: ChainIndex,
  asked: readonly { address: Address; owner: string }[],
): Promise<readonly Address[]> {
  const head = chain.head()
  const groups = separateOwners(asked)
  const all = asked.map(({ address }) => address)
  if (head === null || groups.length > MOST_GROUPS) return all
  try {
    const funded: Address[] = []
    for (const group of groups)
      for (let at = 0; at < group.length; at += PER_CALL) {
        const part = group.slice(at, at + PER_CALL).map(({ address }) => address)
        funded.push(...(await askNodes(nodes, (ask) => askOnce(ask, part, head.hash))))
      }
    return funded
  } catch (error) {
    log.debug({ err: error }, 'balances of new addresses are read one by one')
    return all
  }
}

async function askOnce(ask: AskOne, addresses: readonly Address[], blockHash: Hash): Promise<Address[]> {
  const data = `${FUNDED_ADDRESSES_CODE}${encodeList(addresses)}`
  const [answer] = await ask([{ method: 'eth_call', params: [{ data }, { blockHash }] }])
  if (typeof answer !== 'string' || answer.length !== 2 + 2 * addresses.length)
    throw new WrongAnswerError('the node did not tell of every address')
  return addresses.filter((_, place) => answer.slice(2 + 2 * place, 4 + 2 * place) !== '00')
}

/** Encodes an address[] as the only argument. By hand, because checking a million checksums takes ten seconds. */
function encodeList(addresses: readonly Address[]): string {
  const word = (value: number) => numberToHex(value, { size: 32 }).slice(2)
  const words = addresses.map((address) => `${'0'.repeat(24)}${address.slice(2).toLowerCase()}`)
  return `${word(32)}${word(addresses.length)}${words.join('')}`
}
