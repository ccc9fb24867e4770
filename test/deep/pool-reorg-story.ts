import { randomInt } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import { encodeFunctionData, getAddress, numberToHex, type Address, type Hex } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { recordReviews } from '../../db/account/balances/pool-deposits.ts'
import { depositWithErrorsAbi } from '../devnet/wallet/deposit.ts'
import { proveRagequit } from '../../schema/client/pool/encode-ragequit.ts'
import { makeSecrets, precommitmentOf } from '../../schema/client/pool/note.ts'
import { startProver } from '../devnet/wallet/prover.ts'
import { encodeRelay } from '../../relayer/pool/relay/encode-relay.ts'
import { openTestDatabase } from '../harness/open-test-database.ts'
import { dumpFacts } from '../relayer/chain/indexer/expect-chain.ts'
import { seedAddresses } from '../relayer/chain/indexer/seed-addresses.ts'
import { startIndexer } from '../relayer/chain/indexer/start-indexer.ts'
import { startIndexWorld, untilSynced } from '../relayer/chain/indexer/start-index-world.ts'
import { loadRelayVectors, replayVectorDeposits } from '../vectors/load-relay-vectors.ts'
import { at } from '../vectors/relay-story.ts'

/** No reorg of the story is deeper. */
const DEEPEST = 30
const RELAYS = 8

interface PoolCall {
  from: Address
  to: Address
  value: bigint
  data: Hex
}

/**
 * Makes deposits, withdrawals and ragequits of watched addresses on a chain that loses its newest 1 to 30 blocks in
 * each round. Some of these transactions are lost for good, some not. Afterwards the database equals one that has never
 * seen another chain.
 * @returns How many events of each kind were left.
 */
export async function poolReorgStory({
  rounds,
  ragequits,
}: {
  rounds: number
  ragequits: number
}): Promise<Record<string, number>> {
  await using world = await startIndexWorld()
  const { ask, config } = world
  const vectors = loadRelayVectors()
  const { story } = vectors
  await ask('evm_setAutomine', true)
  await replayVectorDeposits(vectors, config)
  await ask('evm_setAutomine', false)
  await world.mineEmpty(DEEPEST + 5)

  const relays = vectors.relays.slice(0, RELAYS)
  const own = [
    story.depositor.address,
    ...relays.slice(0, RELAYS / 2).map(({ recipient }) => getAddress(recipient)),
  ]
  const calls = [
    ...relays.map((relay): PoolCall => ({
      from: story.postman.address,
      to: story.entrypoint,
      value: 0n,
      data: encodeRelay({ ...relay, feeCommitment: null } as never),
    })),
    ...(await proveRagequits()),
    ...Array.from({ length: 12 }, (): PoolCall => {
      const args = [precommitmentOf(makeSecrets())] as const
      const data = encodeFunctionData({ abi: depositWithErrorsAbi, functionName: 'deposit', args })
      return { from: story.depositor.address, to: story.entrypoint, value: 10n ** 16n, data }
    }),
  ]

  /** Proves ragequits of a note that a relay of the story spends as well, and of unspent notes. */
  async function proveRagequits(): Promise<PoolCall[]> {
    const prover = startProver()
    const made: PoolCall[] = []
    for (let place = RELAYS - 1; made.length < ragequits; place += 1) {
      const { note } = at(story.deposits, at(story.relays, place).deposit)
      const data = await proveRagequit(prover, note)
      made.push({ from: story.depositor.address, to: story.pools.native.pool, value: 0n, data })
    }
    await prover.close()
    return made
  }

  const describe = ({ from, to, value, data }: PoolCall) => ({
    from,
    to,
    data,
    value: numberToHex(value),
    gas: numberToHex(1_000_000n),
  })
  /** Repeats all calls of the last round, to leave something of each kind. */
  const sendAll = async () => {
    for (const call of calls) {
      await ask('eth_sendTransaction', describe(call))
      await ask('evm_mine')
    }
  }
  const some = (most: number) =>
    Array.from({ length: randomInt(1, most + 1) }, () => at(calls, randomInt(calls.length)))

  await seedAddresses(world.database.pool, own)
  await review(world.database.pool)
  const running = await startIndexer(world.database.pool, config)
  try {
    await untilSynced(world, running)
    for (let round = 0; round < rounds; round += 1) {
      for (let block = 0; block < 3; block += 1) {
        for (const call of some(4)) await ask('eth_sendTransaction', describe(call))
        await ask('evm_mine')
      }
      if (randomInt(3) > 0) await untilSynced(world, running)
      const depth = randomInt(1, DEEPEST + 1)
      await ask(
        'anvil_reorg',
        depth,
        some(3).map((call) => [describe(call), randomInt(depth)]),
      )
      await ask('anvil_dropAllTransactions')
      await ask('evm_mine')
    }
    await sendAll()
    await untilSynced(world, running)
    const fresh = await openTestDatabase()
    await seedAddresses(fresh.pool, own)
    await review(fresh.pool)
    const again = await startIndexer(fresh.pool, config)
    try {
      await untilSynced(world, again)
      expect(await dumpFacts(world.database.pool)).toEqual(await dumpFacts(fresh.pool))
      expect(await dumpDeposits(world.database.pool)).toEqual(await dumpDeposits(fresh.pool))
      return await countKinds(fresh.pool)
    } finally {
      await again.stop()
      await fresh.drop()
    }
  } finally {
    await running.stop()
  }

  /** The ASP has declined one deposit in three. */
  async function review(pool: DatabasePool): Promise<void> {
    const labels = story.deposits.filter((_, place) => place % 3 === 0).map(({ note }) => note.label)
    const native = { chainId: story.chainId, address: story.pools.native.pool }
    await recordReviews(
      pool,
      native,
      labels.map((label) => ({ label, status: 'declined' })),
    )
  }
}

const lines = z.object({ line: z.string() })

/** State derived from the events: how deposits stand, their sums, and the verified set. */
async function dumpDeposits(pool: DatabasePool): Promise<readonly (readonly string[])[]> {
  return [
    await pool.anyFirst(sql.type(lines)`
      select (to_jsonb(one) - 'account_id')::text as line from account_deposit as one order by 1`),
    await pool.anyFirst(sql.type(lines)`
      select (to_jsonb(one) - 'account_id')::text as line from account_deposit_sum as one order by 1`),
  ]
}

async function countKinds(pool: DatabasePool): Promise<Record<string, number>> {
  const rows = await pool.any(sql.type(z.object({ kind: z.string(), count: z.int() }))`
    select kind, count(*)::int4 as count from pool_event group by kind`)
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}
