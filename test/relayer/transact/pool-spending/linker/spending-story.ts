import { setTimeout as sleep } from 'node:timers/promises'
import {
  createWalletClient,
  http,
  isAddressEqual,
  parseEther,
  parseEventLogs,
  zeroAddress,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { poolEventsAbi } from '../../../../devnet/pool-events.ts'
import { deposit } from '../../../../devnet/wallet/deposit.ts'
import { startProver, type Prover } from '../../../../devnet/wallet/prover.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../../harness/chain-actors.ts'
import { runConcurrently } from '../../../../harness/relay-requests.ts'
import { startTestService, type TestService } from '../../../../harness/start-service.ts'
import { askService } from '../../../../../schema/client/requests/ask-service.ts'
import { openNewClient, type Client } from '../../../../../schema/client/account/open-client.ts'
import { depositSecrets, noteMasterOf } from '../../../../../schema/client/pool/note-secrets.ts'
import { createPoolView, type PoolView } from '../../../../../schema/client/pool/pool-state.ts'
import { readPool, type KnownPool } from '../../../../../schema/client/pool/read-pool.ts'
import { spendBlindly } from '../../../../../schema/client/pool/spend-blindly.ts'
import { spendTold } from '../../../../../schema/client/pool/spend-told.ts'
import { knownOf } from '../../../../e2e/examples/demo/known-of.ts'
import { OWN_LIMITS } from '../../../account/open-account.ts'
import type { SeenSpend, Suspect } from './link-spends.ts'
import { shuffle } from './shuffle.ts'
import { readLog, takeDump, type Trace } from './take-dump.ts'

export interface StoryOptions {
  /** Every other one reports its spends. */
  accounts: number
  /** By each account. */
  spends: number
  /** Simultaneous spends. */
  concurrency: number
  /** The longest that a wallet waits between telling of a spend and having it relayed. */
  spacingMs: number
}

/** Everything that is left when all has been spent, and who spent. */
export interface Aftermath {
  suspects: Suspect[]
  spends: (SeenSpend & { isTold: boolean })[]
  traces: Trace[]
}

const VALUE = parseEther('100')
/**
 * The amount that arrives, of every spend. The price of gas is less than a basis point of it: all of them withdraw the
 * same.
 */
const AMOUNT = parseEther('15')

interface Wallet {
  client: Client
  view: PoolView
  isTelling: boolean
  words: string[]
  /** One spend after the other. */
  last: Promise<unknown>
}

/**
 * Accounts deposit equal amounts and then spend equal amounts in a shuffled order, each to a stranger. One half of the
 * accounts reports its spends to the service.
 */
export async function spendingStory(options: StoryOptions): Promise<Aftermath> {
  const lines: string[] = []
  const service = await startTestService(
    {
      devnet: { ports: [0, 0], asp: true, aspDelaySeconds: 0, chainIds: [31_337] },
      ...OWN_LIMITS,
      logLevel: 'debug',
    },
    { log: { write: (line) => void lines.push(line) } },
  )
  const provers = [startProver(), startProver()]
  try {
    const payer = await openPayer(service, 5)
    const pool = await readPool(payer.wallet.reader, { ...payer.chain, token: zeroAddress })
    const wallets: Wallet[] = []
    for (let place = 0; place < options.accounts; place += 1)
      wallets.push(await openWallet(service, payer, pool, place))
    await waitUntilIndexed(service, payer)
    await Promise.all(wallets.slice(0, 3).map(({ view }) => untilApproved(view, options.accounts)))

    const spends: Aftermath['spends'] = []
    let turns = 0
    const schedule = shuffle(
      wallets.flatMap((wallet) => Array.from({ length: options.spends }, () => wallet)),
    )
    await runConcurrently(schedule, options.concurrency, async (wallet) => {
      const turn = wallet.last.then(async () => {
        const spend = await spendOnce({
          service,
          payer,
          wallet,
          prover: provers[turns++ % provers.length]!,
          spacingMs: options.spacingMs,
        })
        spends.push({ ...spend, truth: wallets.indexOf(wallet), isTold: wallet.isTelling })
      })
      wallet.last = turn.catch(() => undefined)
      await turn
    })
    await waitUntilIndexed(service, payer)
    return {
      suspects: wallets.map(({ words }) => ({ words })),
      spends: spends.toSorted((one, other) => one.time - other.time),
      traces: [...(await takeDump(service.database.pool)), ...readLog(lines)],
    }
  } finally {
    await Promise.all(provers.map((prover) => prover.close()))
    await service.stop()
  }
}

async function openWallet(
  service: TestService,
  payer: Payer,
  pool: KnownPool,
  place: number,
): Promise<Wallet> {
  // Each wallet has its own network address, and so its own limits.
  const headers = { 'x-forwarded-for': `10.77.${place}.1` }
  const client = await openNewClient({ url: service.url, headers, chains: [knownOf(payer.chain)] })
  const { address, nonce } = await client.receive()
  await payer.payNative(address, VALUE + parseEther('0.1'))
  const account = client.controlOf(nonce)
  const transport = http(payer.chain.rpcUrl)
  const sender = createWalletClient({ account, chain: payer.wallet.reader.chain, transport })
  const secrets = depositSecrets(noteMasterOf(client), BigInt(pool.scope), 0n)
  const { note } = await deposit(
    { ...payer.wallet, account, sender },
    { entrypoint: pool.entrypoint, asset: pool.asset, pool: pool.pool, gross: VALUE, secrets },
  )
  const words = [client.accountId, address, String(note.label)].map((word) => word.toLowerCase())
  return {
    client,
    view: createPoolView(client, pool, payer.wallet.reader),
    isTelling: place % 2 === 0,
    words,
    last: Promise.resolve(),
  }
}

async function untilApproved(view: PoolView, deposits: number): Promise<void> {
  for (const deadline = Date.now() + 120_000; ; await sleep(1_000)) {
    const { aspLeaves } = await view.read()
    if (aspLeaves.length >= deposits) return
    if (Date.now() > deadline) throw new Error(`${aspLeaves.length} of ${deposits} deposits are approved`)
  }
}

interface OneSpend {
  service: TestService
  payer: Payer
  wallet: Wallet
  prover: Prover
  spacingMs: number
}

async function spendOnce({ service, payer, wallet, prover, spacingMs }: OneSpend): Promise<SeenSpend> {
  const { client, view, isTelling } = wallet
  const recipient = privateKeyToAddress(generatePrivateKey())
  const txHash = await (isTelling
    ? spendTold(client, { view, amount: AMOUNT, recipient, maxFee: AMOUNT / 10n, prover, spacingMs }).then(
        ({ txHashes }) => txHashes[0]!,
      )
    : spendBlindly(client, {
        view,
        amount: await askGross(client.url, view.pool, recipient),
        recipient,
        maxFee: AMOUNT / 10n,
        prover,
      }).then((spend) => spend.txHash))
  await waitUntilIndexed(service, payer)
  return { ...(await readSpend(payer, view.pool, txHash, recipient)), truth: -1 }
}

/**
 * Computes the amount that must leave a note for `AMOUNT` to arrive. Blind and reported spends are then alike in it.
 */
async function askGross(url: string, { chainId, asset }: KnownPool, recipient: string): Promise<bigint> {
  const { feeBPS } = await askService<{ feeBPS: string }>(url, 'POST', '/relayer/quote', {
    chainId,
    amount: String(AMOUNT),
    asset,
    recipient,
    extraGas: false,
  })
  return ((AMOUNT - 1n) * 10_000n) / (10_000n - BigInt(feeBPS)) + 1n
}

/** Reads a spend's traces on the chain. */
async function readSpend(
  { wallet: { reader } }: Payer,
  { pool }: KnownPool,
  hash: Hex,
  recipient: string,
): Promise<Omit<SeenSpend, 'truth'>> {
  const { logs, blockNumber } = await reader.getTransactionReceipt({ hash })
  const own = logs.filter(({ address }) => isAddressEqual(address, pool))
  const [withdrawn] = parseEventLogs({ abi: poolEventsAbi, eventName: 'Withdrawn', logs: own })
  const { _value, _spentNullifier, _newCommitment } = withdrawn!.args
  const { timestamp } = await reader.getBlock({ blockNumber })
  return {
    words: [hash, recipient.toLowerCase(), String(_spentNullifier), String(_newCommitment)],
    time: Number(timestamp) * 1_000,
    withdrawn: _value,
  }
}
