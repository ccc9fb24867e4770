import {
  countNewcomers,
  findNewcomers,
  lookFrom,
  readOldestTransaction,
  readWatched,
  watchAddresses,
  type Newcomer,
} from '../../../db/chain/indexer/watched-addresses.ts'
import { goesOn, type ChainIndex } from './chain-index.ts'
import { onChain } from './commit-blocks.ts'
import { numberToHex, type Address, type Hash, type Hex } from 'viem'
import { askNodes, WrongAnswerError, type AskOne } from './ask-nodes.ts'
import { separateOwners } from './address-filter.ts'

const PER_PAGE = 10_000
/** Most new addresses that are counted to choose how their past is read. */
const MOST_COUNTED = 100_000

/** Adds all addresses that the chain watches already to the filter. */
export async function loadWatched({ pool, chainId, filter }: ChainIndex): Promise<void> {
  let after = ''
  for (;;) {
    const page = await readWatched(pool, chainId, after, PER_PAGE)
    for (const address of page) filter.add(address)
    const last = page.at(-1)
    if (last === undefined || page.length < PER_PAGE) return
    after = last
  }
}

/** Begins to watch new addresses; blocks that have not been requested yet are matched with them. */
export async function watchNewcomers(index: ChainIndex): Promise<void> {
  const { pool, chainId, config } = index
  const { newcomers, newest: newestOfAll } = await findNewcomers(
    pool,
    chainId,
    { from: index.newcomersFrom, after: null },
    config.addressesPerLook,
  )
  const newest = newcomers.at(-1)
  if (!newest) {
    // The first search goes through all addresses; later ones need not, even if it found none.
    index.newcomersFrom ??= newestOfAll && lookFrom(newestOfAll)
    return
  }
  if (newcomers.length === config.addressesPerLook) return watchMany(index)
  await watch(index, newcomers, {})
  index.newcomersFrom = lookFrom(newest.createdAt)
}

/** A page of new addresses, with those that have coins among those that may have a past. */
interface Page {
  newcomers: readonly Newcomer[]
  funded: readonly string[]
  /** A transaction that began before this time and is still open may add addresses that seem old; null on the first page. */
  oldest: Date | null
}

/**
 * Watches page by page, so that each page is written in the order of the index that finds it. While one page is written, the
 * next is read and the node is asked about it.
 */
async function watchMany(index: ChainIndex): Promise<void> {
  const { pool, chainId, config } = index
  const isTogether = isReadTogether(
    index,
    await countNewcomers(pool, chainId, index.newcomersFrom, MOST_COUNTED),
  )
  const read = (after: Newcomer | null): Promise<Page> => {
    const page = readPage(index, after)
    // It is awaited only while the chain is ours.
    page.catch(() => undefined)
    return page
  }
  let last: Newcomer | null = null
  let reading = read(null)
  while (goesOn(index)) {
    const { newcomers, funded, oldest } = await reading
    const newest = newcomers.at(-1)
    const isEnd = newcomers.length < config.addressesPerLook
    if (newest && !isEnd) reading = read(newest)
    if (newest) await watch(index, newcomers, { isTogether, funded })
    last = newest ?? last
    if (!isEnd) continue
    if (last) index.newcomersFrom = oldest ?? lookFrom(last.createdAt)
    return
  }
}

async function readPage(index: ChainIndex, after: Newcomer | null): Promise<Page> {
  const { pool, chainId, config } = index
  const oldest = after && (await readOldestTransaction(pool))
  const { newcomers } = await findNewcomers(
    pool,
    chainId,
    { from: index.newcomersFrom, after },
    config.addressesPerLook,
  )
  const older = newcomers.filter(({ isFresh }) => !isFresh)
  return { newcomers, oldest, funded: older.length > 0 ? await findFunded(index, older) : [] }
}

/**
 * True if reading every past block takes fewer questions to a node than searching for the addresses. Each question of a
 * search names at most one address of an account.
 */
function isReadTogether(
  { config, cursor, startBlock, logRange }: ChainIndex,
  { addresses, mostOfOne }: { addresses: number; mostOfOne: number },
): boolean {
  const blocks = cursor.number - startBlock + 1n
  const groups = Math.max(mostOfOne, Math.ceil(addresses / config.addressesPerQuery))
  const ranges = (blocks + logRange - 1n) / logRange
  return blocks * QUESTIONS_OF_BLOCK < BigInt(groups) * ranges * QUESTIONS_OF_RANGE
}

/** The block, its logs and its traces. */
const QUESTIONS_OF_BLOCK = 3n
/** The range by each place of an address, twice. */
const QUESTIONS_OF_RANGE = 8n

async function watch(
  index: ChainIndex,
  newcomers: readonly Newcomer[],
  how: { isTogether?: boolean; funded?: readonly string[] },
): Promise<void> {
  const { chainId, filter, startBlock } = index
  index.mayWait = true
  const addresses = newcomers.map(({ address }) => address)
  for (const address of addresses) filter.add(address)
  const highest = index.requested > index.cursor.number ? index.requested : index.cursor.number
  await onChain(index, (transaction) =>
    watchAddresses(transaction, chainId, addresses, { liveFrom: highest + 1n, startBlock, ...how }),
  )
}

/** Addresses per call: keeps the code of the call below a chain's limit (EIP-3860). */
const PER_CALL = 1_000
/** With more addresses of one account, each is read later. */
const MOST_GROUPS = 64

/**
 * Returns the addresses that have native coins at the newest head. Returns all of them where no node can answer, or where
 * one account has many of them. Later moves are found in the blocks.
 */
async function findFunded(
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

/** contracts/FundedAddresses.sol, compiled by solc 0.8.30 for the EVM of Paris; a test compiles it again. */
export const FUNDED_ADDRESSES_CODE: Hex = `0x${[
  '608060405234801561001057600080fd5b5060405161020738038061020783398101604081905261002f91610121565b6000',
  '81516001600160401b0381111561004a5761004a6100ef565b6040519080825280601f01601f191660200182016040528015',
  '610074576020820181803683370190505b50905060005b82518110156100e6576000838281518110610097576100976101f0',
  '565b60200260200101516001600160a01b03163111156100de57600160f81b8282815181106100c6576100c66101f0565b60',
  '200101906001600160f81b031916908160001a9053505b60010161007a565b50805160208201f35b634e487b7160e01b6000',
  '52604160045260246000fd5b80516001600160a01b038116811461011c57600080fd5b919050565b60006020828403121561',
  '013357600080fd5b81516001600160401b0381111561014957600080fd5b8201601f8101841361015a57600080fd5b805160',
  '01600160401b03811115610173576101736100ef565b604051600582901b90603f8201601f191681016001600160401b0381',
  '1182821017156101a1576101a16100ef565b6040529182526020818401810192908101878411156101bf57600080fd5b6020',
  '850194505b838510156101e5576101d785610105565b8152602094850194016101c6565b509695505050505050565b634e48',
  '7b7160e01b600052603260045260246000fdfe',
].join('')}`
