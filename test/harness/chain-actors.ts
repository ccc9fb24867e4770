import { setTimeout as sleep } from 'node:timers/promises'
import { erc20Abi, parseAbi, type Address, type Hash } from 'viem'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { connectWallet, type Wallet } from '../devnet/wallet/connect-wallet.ts'
import { readDescription, type DescribedChain } from '../devnet/devnet-description.ts'
import type { TestService } from './start-service.ts'

const nftAbi = parseAbi(['function mint(address to, uint256 id)'])

/** An account with funds on the devnet that pays others; its transactions are sent one after the other. */
export interface Payer {
  chain: DescribedChain
  wallet: Wallet
  payNative(to: Address, value: bigint): Promise<Hash>
  payToken(token: Address, to: Address, amount: bigint): Promise<Hash>
  mintCollectible(contract: Address, to: Address, id: bigint): Promise<Hash>
}

/** The payer with client account `index`, on the devnet's chain number `place`. */
export async function openPayer(service: TestService, index: number, place = 0): Promise<Payer> {
  const { chains } = await readDescription(service.dataDir)
  const chain = chains[place]
  const account = chain?.accounts[index]
  if (!chain || !account) throw new Error(`the devnet has no account ${index} on chain ${place}`)
  const wallet = connectWallet(chain, account.privateKey)
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (send: () => Promise<Hash>): Promise<Hash> => {
    const sent = last.then(async () => {
      const hash = await send()
      const { status } = await wallet.reader.waitForTransactionReceipt({ hash })
      if (status !== 'success') throw new Error(`${hash} was reverted`)
      return hash
    })
    last = sent.catch(() => undefined)
    return sent
  }
  return {
    chain,
    wallet,
    payNative: (to, value) => inTurn(() => wallet.sender.sendTransaction({ to, value })),
    payToken: (token, to, amount) =>
      inTurn(() =>
        wallet.sender.writeContract({
          address: token,
          abi: erc20Abi,
          functionName: 'transfer',
          args: [to, amount],
        }),
      ),
    mintCollectible: (contract, to, id) =>
      inTurn(() =>
        wallet.sender.writeContract({ address: contract, abi: nftAbi, functionName: 'mint', args: [to, id] }),
      ),
  }
}

const PATIENCE_MS = 150_000

/** Waits until the service has indexed a chain up to its head, including holdings and the past of new addresses. */
export async function waitUntilIndexed(
  service: Pick<TestService, 'database'>,
  { wallet, chain }: Pick<Payer, 'wallet' | 'chain'>,
): Promise<void> {
  const head = await wallet.reader.getBlockNumber()
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const isDone = await service.database.pool.oneFirst(sql.type(z.object({ done: z.boolean() }))`
      select coalesce((select block_number from indexed_chain where chain_id = ${chain.chainId}), -1) >= ${head}
        and not exists (select from holding where chain_id = ${chain.chainId} and stale)
        and not exists (
          select from stealth_address left join watched_address
            on watched_address.address = stealth_address.address and chain_id = ${chain.chainId}
          where live_from is null or history_next is not null
        ) as done`)
    if (isDone) return
    if (Date.now() > deadline) throw new Error(`chain ${chain.chainId} is not indexed up to block ${head}`)
    await sleep(100)
  }
}
