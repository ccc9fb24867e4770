import type { DatabasePool } from 'slonik'
import { erc20Abi, erc721Abi, parseAbi, createPublicClient, http, zeroAddress, type Address } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { contracts } from './chain-calls.ts'
import { type IndexWorld } from './start-index-world.ts'
import { readHoldings, readNftHoldings } from '../../../harness/read-facts.ts'

/** Number of stored blocks that are compared. */
const KEPT_BLOCKS = 4

const multiTokenAbi = parseAbi([
  'function balanceOfBatch(address[] owners, uint256[] ids) view returns (uint256[])',
])

/** The holdings of the addresses according to the chain's node: address, token, id, amount. */
async function askChain(
  { rpcUrl }: IndexWorld,
  addresses: readonly Address[],
  ids: readonly bigint[],
): Promise<string[]> {
  const client = createPublicClient({ transport: http(rpcUrl, { batch: true }) })
  const tokens = [...contracts.tokens, contracts.wrappedNative]
  const single = { address: contracts.collectible, abi: erc721Abi, functionName: 'ownerOf' } as const
  const held = await Promise.all(
    addresses.flatMap((address) => [
      client.getBalance({ address }).then((amount) => [address, zeroAddress, 0n, amount] as const),
      ...tokens.map(async (token) => {
        const read = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] } as const
        return [address, token, 0n, await client.readContract(read)] as const
      }),
    ]),
  )
  const pairs = addresses.flatMap((address) => ids.map((id) => [address, id] as const))
  const amounts = await client.readContract({
    address: contracts.multiToken,
    abi: multiTokenAbi,
    functionName: 'balanceOfBatch',
    args: [pairs.map(([address]) => address), pairs.map(([, id]) => id)],
  })
  const many = pairs.map(
    ([address, id], place) => [address, contracts.multiToken, id, amounts[place] ?? 0n] as const,
  )
  // An id has one owner, so it is asked for once, not for every address.
  const owned = await Promise.all(
    ids.map(async (id) => {
      const owner = await client.readContract({ ...single, args: [id] }).catch(() => zeroAddress)
      return [owner, contracts.collectible, id, addresses.includes(owner) ? 1n : 0n] as const
    }),
  )
  return [...held, ...many, ...owned]
    .filter(([, , , amount]) => amount > 0n)
    .map((line) => line.join(' '))
    .toSorted()
}

/** Checks that the stored holdings of the addresses equal the chain's, with none missing and none added. */
export async function expectHoldingsOfChain(
  world: IndexWorld,
  pool: DatabasePool,
  addresses: readonly Address[],
  ids: readonly bigint[],
): Promise<number> {
  const rows = [...(await readHoldings(pool, addresses)), ...(await readNftHoldings(pool, addresses))]
  const stored = rows
    .filter(({ amount }) => amount > 0n)
    .map(({ address, token, tokenId, amount }) => [address, token, tokenId, amount].join(' '))
  expect(stored.toSorted()).toEqual(await askChain(world, addresses, ids))
  expect(rows.filter(({ stale }) => stale)).toEqual([])
  return stored.length
}

/** Everything that is stored about the chain, as text in a fixed order, except for times of reading. */
export async function dumpFacts(pool: DatabasePool): Promise<Record<string, string[]>> {
  const dump = async (table: string, without: string) =>
    pool.anyFirst(sql.type(z.object({ line: z.string() }))`
      select (to_jsonb(t) - string_to_array(${without}, ','))::text as line from ${sql.identifier([table])} t
      order by (to_jsonb(t) -> 'number')::bigint, 1`)
  const zero = (line: string) => !/"amount": 0[,}]/.test(line)
  return {
    // The number of stored blocks depends on how far the chain once was.
    indexed_block: (await dump('indexed_block', 'indexed_at')).slice(-KEPT_BLOCKS),
    transfer: [...(await dump('transfer', ''))],
    indexed_tx: [...(await dump('indexed_tx', ''))],
    address_tx: [...(await dump('address_tx', ''))],
    pool_event: [...(await dump('pool_event', ''))],
    intent_event: [...(await dump('intent_event', ''))],
    holding: (await dump('holding', 'as_of_number,as_of_hash,owner_account_id')).filter(zero),
    cursor: [
      ...(await dump(
        'indexed_chain',
        'reorgs,deepest_reorg,resyncs,lease_owner,lease_until,lease_term,updated_at,state,problem,untraced_to,swept_to,next_pass',
      )),
    ],
  }
}
