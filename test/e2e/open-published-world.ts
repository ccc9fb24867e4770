import { erc20Abi, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect } from 'vitest'
import { poolAbi } from '../../relayer/chain/contracts/privacy-pools.ts'
import { readDescription } from '../devnet/devnet-description.ts'
import { openPayer } from '../harness/chain-actors.ts'
import {
  openPublishedWallet,
  startPublishedProver,
  stopPublishedProver,
} from '../harness/open-published-wallet.ts'
import { untilFinal } from '../harness/relay-requests.ts'
import { startTestService } from '../harness/start-service.ts'

/** An address that nobody used. */
export const somebody = () => privateKeyToAddress(generatePrivateKey())

/** The published library of a wallet beside a service, and an account that pays its deposits. */
export async function openPublishedWorld() {
  const service = await startTestService({
    devnet: { ports: [0, 0], asp: true, aspDelaySeconds: 0, chainIds: [31_337] },
  })
  const payer = await openPayer(service, 3)
  const { asp } = await readDescription(service.dataDir)
  const wallet = openPublishedWallet({
    chain: payer.chain,
    reader: payer.wallet.reader,
    seed: crypto.getRandomValues(new Uint8Array(32)),
    aspUrl: asp!.url,
    relayerUrl: `${service.url}/relayer`,
    prover: await startPublishedProver(),
  })

  const poolOf = (symbol: string) => {
    const pool = payer.chain.pools.find((known) => known.symbol === symbol)
    if (!pool) throw new Error(`no pool of ${symbol}`)
    return { ...pool, asset: { __type: 'erc20', contract: pool.asset } as const }
  }
  type Pool = ReturnType<typeof poolOf>
  type Operation = Awaited<ReturnType<typeof wallet.plugin.prepareUnshield>>

  /** Lets the Entrypoint take a token for the next deposit. */
  async function approve({ asset }: Pool, amount: bigint) {
    const hash = await payer.wallet.sender.writeContract({
      address: asset.contract,
      abi: erc20Abi,
      functionName: 'approve',
      args: [payer.chain.entrypoint, amount],
    })
    await payer.wallet.reader.waitForTransactionReceipt({ hash })
  }

  /** Sends the library's transaction, and waits until the ASP has approved it. */
  async function shield({ asset }: Pool, amount: bigint) {
    const { txns } = await wallet.plugin.prepareShield({ asset, amount })
    for (const { to, data, value } of txns) {
      const hash = await payer.wallet.sender.sendTransaction({ to: to as Address, data: data as Hex, value })
      const { status } = await payer.wallet.reader.waitForTransactionReceipt({ hash })
      expect(status).toBe('success')
    }
    await expect.poll(async () => (await wallet.plugin.notes([asset]))[0]?.approved).toBe(true)
    return (await wallet.plugin.notes([asset]))[0]!
  }

  const balanceOf = ({ symbol, asset }: Pool, owner: Address) =>
    symbol === 'ETH'
      ? payer.wallet.reader.getBalance({ address: owner })
      : payer.wallet.reader.readContract({
          address: asset.contract,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [owner],
        })
  const isSpent = ({ pool }: Pool, nullifierHash: bigint) =>
    payer.wallet.reader.readContract({
      address: pool,
      abi: poolAbi,
      functionName: 'nullifierHashes',
      args: [nullifierHash],
    })

  /** Reads the service's books of an asset. */
  async function readBooks({ asset }: Pool) {
    const { ledger } = await service.services.withdrawals.overview()
    const sum = ledger.find((known) => known.asset === asset.contract)
    return { relays: sum?.relays ?? 0, withdrawn: sum?.withdrawn ?? 0n, feeReceived: sum?.feeReceived ?? 0n }
  }

  /** Has the relayer carry out the library's operation. Returns its answer and the fee that it kept. */
  async function withdraw(pool: Pool, operation: Operation, recipient: Address) {
    const { relayFeeBps } = operation.rawData.relayData
    const { existingNullifierHash, withdrawnValue } = operation.rawData.proof.mappedSignals
    expect(await isSpent(pool, existingNullifierHash)).toBe(false)
    const answer = await wallet.broadcaster.broadcast(operation)
    const end = await untilFinal(service.url, answer.requestId)
    expect(end).toMatchObject({ status: 'confirmed', txHash: answer.txHash })
    const fee = (withdrawnValue * BigInt(relayFeeBps)) / 10_000n
    expect(fee).toBeGreaterThan(0n)
    expect(await balanceOf(pool, recipient)).toBe(withdrawnValue - fee)
    expect(await isSpent(pool, existingNullifierHash)).toBe(true)
    return { answer, fee }
  }

  /** Withdraws to a fresh address, and returns the relayer's fee. */
  async function unshield(pool: Pool, amount: bigint): Promise<bigint> {
    const recipient = somebody()
    const operation = await wallet.plugin.prepareUnshield({ asset: pool.asset, amount }, recipient)
    expect(operation.rawData.proof.mappedSignals.withdrawnValue).toBe(amount)
    const { fee } = await withdraw(pool, operation, recipient)
    return fee
  }

  const stop = async () => {
    await stopPublishedProver()
    await service.stop()
  }
  return { wallet, poolOf, balanceOf, approve, shield, withdraw, unshield, readBooks, stop }
}

export type PublishedWorld = Awaited<ReturnType<typeof openPublishedWorld>>
