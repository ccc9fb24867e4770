import { readFile } from 'node:fs/promises'
import { erc20Abi, parseEther, parseUnits, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { poolAbi } from '../../relayer/chain/contracts/privacy-pools.ts'
import { readDescription } from '../devnet/devnet-description.ts'
import { VETTING_FEE_BPS } from '../devnet/deploy/devnet-assets.ts'
import { circuitFile } from '../devnet/wallet/circuit-files.ts'
import { openPayer, type Payer } from '../harness/chain-actors.ts'
import {
  openPublishedWallet,
  publishedCircuitFile,
  startPublishedProver,
  stopPublishedProver,
} from '../harness/open-published-wallet.ts'
import { untilFinal } from '../harness/relay-requests.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'

let service: TestService
let payer: Payer
let wallet: ReturnType<typeof openPublishedWallet>

beforeAll(async () => {
  service = await startTestService({
    devnet: { ports: [0, 0], asp: true, aspDelaySeconds: 0, chainIds: [31_337] },
  })
  payer = await openPayer(service, 3)
  const { asp } = await readDescription(service.dataDir)
  wallet = openPublishedWallet({
    chain: payer.chain,
    reader: payer.wallet.reader,
    seed: crypto.getRandomValues(new Uint8Array(32)),
    aspUrl: asp!.url,
    relayerUrl: `${service.url}/relayer`,
    prover: await startPublishedProver(),
  })
})
afterAll(async () => {
  await stopPublishedProver()
  await service?.stop()
})

const somebody = () => privateKeyToAddress(generatePrivateKey())
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

describe('the published library of a wallet', () => {
  it.each(['withdraw', 'commitment'])('proves %s by the circuit of the devnet', async (circuit) => {
    for (const kind of ['wasm', 'zkey', 'vkey'] as const) {
      const [ours, theirs] = [
        circuitFile(circuit as 'withdraw', kind),
        publishedCircuitFile(`${circuit}.${kind}`),
      ]
      expect((await readFile(ours)).equals(await readFile(theirs)), kind).toBe(true)
    }
  })

  it('deposits coins and withdraws all of them through the relayer, in two parts', async () => {
    const pool = poolOf('ETH')
    const gross = parseEther('1')
    const deposited = await shield(pool, gross)
    expect(deposited.balance).toBe(gross - (gross * VETTING_FEE_BPS) / 10_000n)

    const part = deposited.balance / 3n
    const fee = await unshield(pool, part)
    expect(await wallet.plugin.notes([pool.asset])).toMatchObject([
      { label: deposited.label, balance: deposited.balance - part, withdraw: 1, approved: true },
    ])
    const lastFee = await unshield(pool, deposited.balance - part)
    expect(await wallet.plugin.notes([pool.asset])).toEqual([])
    expect(await wallet.plugin.balance([pool.asset])).toMatchObject([{ amount: 0n }, { amount: 0n }])
    expect(await readBooks(pool)).toEqual({
      relays: 2,
      withdrawn: deposited.balance,
      feeReceived: fee + lastFee,
    })
  })

  it('is refused a second withdrawal of a note of tokens, and gets the answer to the first one again', async () => {
    const pool = poolOf('TUSD')
    const gross = parseUnits('1000', 6)
    await approve(pool, gross)
    const { balance } = await shield(pool, gross)
    const prepare = (to: Address) => wallet.plugin.prepareUnshield({ asset: pool.asset, amount: balance }, to)
    // Both are proven before the chain shows that the note is spent.
    const [recipient, other] = [somebody(), somebody()]
    const [first, second] = [await prepare(recipient), await prepare(other)]
    const { answer, fee } = await withdraw(pool, first, recipient)
    await expect(wallet.broadcaster.broadcast(second)).rejects.toThrow(/^NULLIFIER_ALREADY_SPENT: /)
    expect(await balanceOf(pool, other)).toBe(0n)
    const repeated = await wallet.broadcaster.broadcast(first)
    expect(repeated).toMatchObject({ requestId: answer.requestId, txHash: answer.txHash })
    expect(await readBooks(pool)).toEqual({ relays: 1, withdrawn: balance, feeReceived: fee })
  })
})
