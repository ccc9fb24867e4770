import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { numberToHex, type Address, type Hash } from 'viem'
import { connectDatabase } from '../../db/connect-database.ts'
import type { ChainConfig } from '../../relayer/chain/nodes/config.ts'
import { askNode } from '../../test/harness/ask-node.ts'
import { pay, payInside, payToken, rich } from '../../test/relayer/chain/indexer/calls.ts'
import { contracts, describeCall, randomAddress } from '../../test/relayer/chain/indexer/chain-calls.ts'
import { startIndexer } from '../../test/relayer/chain/indexer/start-indexer.ts'
import type { UnratedRow } from '../measure/row.ts'
import { readOwnCpu, summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'
import type { RecordedBlock } from './replay-blocks.ts'

const TRANSACTIONS = 200
/** Recorded blocks, and the blocks that are made of them. */
const RECORDED = 12
const REPLAYED = 600

/**
 * Catching up with blocks of 200 transactions: a third pay coins, a third coins from inside a call, a third tokens. Each
 * pays an unwatched address of its own. They are recorded from a real chain and replayed by another process, so no chain
 * runs meanwhile.
 */
export async function measureCatchUp(
  chain: ChainConfig,
  createDatabase: (name: string) => Promise<string>,
  settings: Settings,
): Promise<UnratedRow[]> {
  settings.tell(`recording ${RECORDED} blocks of ${TRANSACTIONS} transactions`)
  const recorded = await record(chain)
  const child = fork(fileURLToPath(new URL('./replay-process.ts', import.meta.url)), { execArgv: [] })
  try {
    child.send({ recorded, count: REPLAYED, chainId: chain.chainId })
    const [{ url }] = (await once(child, 'message')) as [{ url: string }]
    const samples: Sample[] = []
    for (let round = 0; round < settings.rounds; round += 1) {
      const pool = await connectDatabase(await createDatabase(`catch_up_${round}`))
      samples.push(
        await takeSample(readOwnCpu, REPLAYED, () =>
          catchUp(pool, { ...chain, rpcUrls: [url], startBlock: 0n }),
        ),
      )
      await pool.end()
    }
    const row = summarize({ name: 'indexer.block200', baseline: null, compared: 'wall' }, samples)
    settings.tell(`${(1_000 / row.wallMs.median).toFixed(0)} blocks of ${TRANSACTIONS} per second`)
    return [{ ...row, note: `a block of ${TRANSACTIONS} transactions while catching up; peer: none` }]
  } finally {
    child.kill()
  }
}

async function record({ rpcUrls: [url = ''] }: ChainConfig): Promise<RecordedBlock[]> {
  const ask = <Answer>(method: string, ...params: unknown[]) => askNode<Answer>(url, method, ...params)
  await ask('anvil_autoImpersonateAccount', true)
  await ask('evm_setAutomine', false)
  const makes = [
    pay,
    payInside,
    (...given: Parameters<typeof pay>) => payToken(contracts.tokens[0], ...given),
  ] as const
  const blocks: RecordedBlock[] = []
  for (let block = 0; block < RECORDED; block += 1) {
    for (let place = 0; place < TRANSACTIONS; place += 1) {
      const [make, payer] = [makes[place % makes.length], rich[place % rich.length]]
      if (!make || !payer) throw new Error('there is nobody to pay')
      const to: Address = randomAddress()
      const call = describeCall(make(to, 1_000n + BigInt(place), payer))
      await ask('eth_sendTransaction', { ...call, gas: numberToHex(140_000) })
    }
    await ask('evm_mine')
    const told = await ask<{ hash: Hash; parentHash: Hash; number: `0x${string}`; transactions: unknown[] }>(
      'eth_getBlockByNumber',
      'latest',
      true,
    )
    if (told.transactions.length !== TRANSACTIONS)
      throw new Error(`a block has ${told.transactions.length} transactions`)
    const logs = await ask('eth_getLogs', { blockHash: told.hash })
    const traces = await ask('trace_block', told.number)
    const { hash, parentHash, number } = told
    const answers = {
      block: JSON.stringify(told),
      logs: JSON.stringify(logs),
      traces: JSON.stringify(traces),
    }
    blocks.push({ hash, parentHash, number, answers })
  }
  return blocks
}

async function catchUp(pool: Awaited<ReturnType<typeof connectDatabase>>, chain: ChainConfig): Promise<void> {
  const { relayer: _, sending: __, ...plain } = chain
  const running = await startIndexer(pool, plain, {}, { rpcUrls: chain.rpcUrls })
  while (!(await running.indexer.isSynced(chain.chainId))) await sleep(10)
  await running.stop()
}
