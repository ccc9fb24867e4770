import { setTimeout as sleep } from 'node:timers/promises'
import type { Hash, Hex } from 'viem'
import type { ChainConfig } from '../../../../relayer/chain/nodes/config.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { describeCall, type Call } from './chain-calls.ts'
import type { RunningIndexer } from './start-indexer.ts'
import { startTestDevnet, type TestDevnet } from '../../../harness/start-test-devnet.ts'

const PATIENCE_MS = 150_000

export interface IndexWorld extends AsyncDisposable {
  devnet: TestDevnet
  config: ChainConfig
  rpcUrl: string
  database: TestDatabase
  ask<Result>(method: string, ...params: unknown[]): Promise<Result>
  /** Sends calls and mines them into one block. */
  mine(...calls: Call[]): Promise<Hash[]>
  /** The same, without the calls that the node refuses. */
  mineWhatGoes(...calls: Call[]): Promise<void>
  mineEmpty(blocks: number): Promise<void>
}

/** A devnet that makes blocks when the test asks for them, and a database. */
export async function startIndexWorld(): Promise<IndexWorld> {
  const devnet = await startTestDevnet()
  const [config] = devnet.devnet.chains
  const [rpcUrl] = config?.rpcUrls ?? []
  if (!config || !rpcUrl) throw new Error('the devnet has no chain')
  const database = await openTestDatabase()
  const ask = <Result>(method: string, ...params: unknown[]) => askNode<Result>(rpcUrl, method, ...params)
  await ask('anvil_autoImpersonateAccount', true)
  await ask('evm_setAutomine', false)

  return {
    devnet,
    config,
    rpcUrl,
    database,
    ask,
    async mine(...calls) {
      const hashes: Hash[] = []
      for (const call of calls) hashes.push(await ask<Hash>('eth_sendTransaction', describeCall(call)))
      await ask('evm_mine')
      return hashes
    },
    async mineWhatGoes(...calls) {
      for (const call of calls)
        await ask('eth_sendTransaction', describeCall(call)).catch((error: Error) => {
          if (!/insufficient funds/i.test(error.message)) throw error
        })
      await ask('evm_mine')
    },
    mineEmpty: (blocks) => ask('anvil_mine', `0x${blocks.toString(16)}`),
    async [Symbol.asyncDispose]() {
      await database.drop()
      await devnet[Symbol.asyncDispose]()
    },
  }
}

/** Asks until the answer is the expected one; otherwise throws with the last answer. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  isRight: (value: Value) => boolean,
  patienceMs = PATIENCE_MS,
): Promise<Value> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const value = await read()
    if (isRight(value)) return value
    if (Date.now() > deadline)
      throw new Error(
        `still ${JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part))}`,
      )
    await sleep(100)
  }
}

/** Waits until the index has reached the node's newest block and has no work left. */
export async function untilSynced(world: IndexWorld, { indexer }: RunningIndexer): Promise<void> {
  await eventually(
    async () => {
      const head = await world.ask<{ number: Hex; hash: Hash }>('eth_getBlockByNumber', 'latest', false)
      const [progress] = await indexer.progress()
      return { head, progress, synced: await indexer.isSynced(world.config.chainId) }
    },
    ({ head, progress, synced }) =>
      synced && progress?.indexedBlock === BigInt(head.number) && progress.indexedHash === head.hash,
  )
}
