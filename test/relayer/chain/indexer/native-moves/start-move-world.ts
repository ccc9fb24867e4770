import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Address, Hash, Hex } from 'viem'
import { expect } from 'vitest'
import { startAnvil } from '../../../../devnet/anvil/start-anvil.ts'
import { askOne } from '../../../../../relayer/chain/indexer/ask-nodes.ts'
import type { NativeMove } from '../../../../../relayer/chain/indexer/find-native.ts'
import type { RawBlock, RawReceipt } from '../../../../../relayer/chain/indexer/raw-block.ts'
import { traceBlock } from '../../../../../relayer/chain/indexer/trace-block.ts'
import { askNode } from '../../../../harness/ask-node.ts'
import { accounts } from '../chain-calls.ts'
import { bornWith } from './move-steps.ts'

export interface MoveCall {
  from?: Address
  to?: Address
  value?: bigint
  data?: Hex
  /** A transaction that is already signed. */
  raw?: Hex
}

export interface MoveWorld extends AsyncDisposable {
  rpcUrl: string
  /** A CoinMover with coins. */
  mover: Address
  ask<Result>(method: string, ...params: unknown[]): Promise<Result>
  /** Mines the calls into one block. */
  mine(...calls: readonly MoveCall[]): Promise<RawBlock>
  /** Stops the chain and starts it again from its saved state; its URL changes. */
  resume(): Promise<void>
}

const settings = { chainId: 31_337, port: 0, genesisBlock: 0 }
const quantity = (value: bigint) => `0x${value.toString(16)}`

/** A chain without gas costs, so that only moves change balances. */
export async function startMoveWorld(): Promise<MoveWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'moves-test-'))
  const logger = pino({ level: 'silent' })
  const start = () => startAnvil({ folder, settings, deterministic: true, logger })
  let anvil = await start()
  const ask = <Result>(method: string, ...params: unknown[]) =>
    askNode<Result>(anvil.rpcUrl, method, ...params)
  const payer = accounts.clients[0]!.address

  async function send({ raw, from = payer, to, value = 0n, data = '0x' }: MoveCall): Promise<Hash> {
    if (raw) return ask<Hash>('eth_sendRawTransaction', raw)
    const call = { from, to, value: quantity(value), data, gas: quantity(9_000_000n), gasPrice: '0x0' }
    return ask<Hash>('eth_sendTransaction', call)
  }
  const mine = async (...calls: readonly MoveCall[]) => {
    await ask('evm_setAutomine', false)
    for (const call of calls) await send(call)
    await ask('evm_mine')
    const block = await ask<RawBlock>('eth_getBlockByNumber', 'latest', true)
    expect(block.transactions).toHaveLength(calls.length)
    return block
  }
  const made = await mine({ value: 10n ** 18n, data: bornWith() })
  const { contractAddress } = await ask<RawReceipt & { contractAddress: Address }>(
    'eth_getTransactionReceipt',
    made.transactions[0]!.hash,
  )
  return {
    get rpcUrl() {
      return anvil.rpcUrl
    },
    mover: contractAddress,
    ask,
    mine,
    async resume() {
      await anvil.stop()
      anvil = await start()
    },
    async [Symbol.asyncDispose]() {
      await anvil.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The moves of a block in one mode of tracing. */
export async function movesBy(
  { rpcUrl }: MoveWorld,
  mode: 'debug' | 'parity',
  block: RawBlock,
): Promise<NativeMove[]> {
  const modes = new Map([[rpcUrl, { mode, learnt: Date.now() }]])
  const told = await traceBlock(askOne({ timeoutMs: 10_000 }, rpcUrl), rpcUrl, block, modes)
  expect(told.mode).toBe(mode)
  return told.moves!
}

/** The moves of a block. Both modes must report the same moves, and they must explain the changes of balances. */
export async function expectMoves(world: MoveWorld, block: RawBlock): Promise<NativeMove[]> {
  const moves = await movesBy(world, 'parity', block)
  expect(moves).toEqual(await movesBy(world, 'debug', block))
  const changes = new Map<Address, bigint>()
  for (const { from, to, value } of moves) {
    changes.set(from, (changes.get(from) ?? 0n) - value)
    changes.set(to, (changes.get(to) ?? 0n) + value)
  }
  const before = quantity(BigInt(block.number) - 1n)
  for (const [address, change] of changes) {
    const [was, is] = await Promise.all(
      [before, block.number].map((at) => world.ask<Hex>('eth_getBalance', address, at)),
    )
    expect(BigInt(is!) - BigInt(was!), address).toBe(change)
  }
  return moves
}
