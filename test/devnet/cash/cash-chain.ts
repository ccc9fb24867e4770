import { setTimeout as sleep } from 'node:timers/promises'
import {
  numberToHex,
  parseEther,
  parseEventLogs,
  TransactionReceiptNotFoundError,
  type Abi,
  type Address,
  type Hash,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import { peerEscrowAbi, peerOrchestratorAbi } from '../../../relayer/chain/contracts/peer-escrow.ts'
import { serializeByKey } from '../../../relayer/concurrency/coalesce-runs.ts'
import { connectWallet } from '../wallet/connect-wallet.ts'
import { buyerAbi, escrowDepositAbi } from './buyer-abi.ts'

/** Plain data, as it crosses the process border. */
export interface CashChainSettings {
  chainId: number
  rpcUrl: string
  escrow: Address
  orchestrator: Address
  rates: Address
}

/** A contract's function with its arguments. */
export interface CashCall {
  address: Address
  abi: Abi | readonly unknown[]
  functionName: string
  args: readonly unknown[]
}

/** One chain as buyers see it. */
export type CashChain = ReturnType<typeof connectCashChain>

const RECEIPT_PATIENCE_MS = 120_000
const RECEIPT_POLL_MS = 40
const BUYER_COINS = parseEther('10')

/** Connects to a chain as the buyers; nothing is asked of it yet. */
export function connectCashChain(settings: CashChainSettings, buyerKeys: readonly Hex[]) {
  const { escrow, orchestrator } = settings
  const wallets = buyerKeys.map((key) => connectWallet(settings, key))
  const [first] = wallets
  if (!first) throw new Error('a devnet without buyers')
  const client = first.reader
  const inTurn = serializeByKey()
  const control = async (method: string, params: readonly unknown[]) => {
    await client.request({ method, params } as never)
  }
  const escrowAt = { address: escrow, abi: peerEscrowAbi } as const
  const detailsAt = { address: escrow, abi: escrowDepositAbi } as const
  const orchestratorAt = { address: orchestrator, abi: buyerAbi } as const

  async function settle(hash: Hash, what: string): Promise<TransactionReceipt> {
    const receipt = await waitForReceipt(client, hash)
    if (receipt.status !== 'success') throw new Error(`${what} was reverted (${hash})`)
    return receipt
  }

  /** Sends a transaction of a buyer, one after the other. @throws Error when it reverts. */
  const send = (buyer: Address, call: CashCall) =>
    inTurn(buyer, async () => {
      const wallet = wallets.find(({ account }) => account.address === buyer)
      if (!wallet) throw new Error(`${buyer} is no buyer`)
      await client.simulateContract({ ...call, account: wallet.account } as never)
      return settle(await wallet.sender.writeContract(call), call.functionName)
    })

  /** The newest block's time, in seconds since 1970. */
  const readTime = async () => Number((await client.getBlock()).timestamp)

  return {
    ...settings,
    client,
    buyers: wallets.map(({ account }) => account.address),
    send,
    /** Gives the buyers the coins that their gas takes. */
    async fundBuyers(): Promise<void> {
      for (const { account } of wallets)
        await control('anvil_setBalance', [account.address, numberToHex(BUYER_COINS)])
    },
    readTime,
    /** Mines a block of that time, or of a later one if the chain has passed it. */
    async passTime(timestamp: number): Promise<void> {
      if ((await readTime()) < timestamp) await control('evm_setNextBlockTimestamp', [timestamp])
      await control('evm_mine', [])
    },
    /** The hash of a buyer's part of any deposit; null for a free buyer. */
    async readHeld(buyer: Address): Promise<Hash | null> {
      const held = await client.readContract({
        ...orchestratorAt,
        functionName: 'getAccountIntents',
        args: [buyer],
      })
      return held[0] ?? null
    },
    readIntent: (hash: Hash) =>
      client.readContract({ ...orchestratorAt, functionName: 'getIntent', args: [hash] }),
    countDeposits: () => client.readContract({ ...detailsAt, functionName: 'depositCounter' }),
    readDeposit: (id: bigint) => client.readContract({ ...escrowAt, functionName: 'getDeposit', args: [id] }),
    /** Expiry of the last part that buyers hold of a deposit; null where they hold nothing. */
    async readLastExpiry(id: bigint): Promise<number | null> {
      const hashes = await client.readContract({
        ...escrowAt,
        functionName: 'getDepositIntentHashes',
        args: [id],
      })
      const intents = await Promise.all(
        hashes.map((hash) =>
          client.readContract({ ...detailsAt, functionName: 'getDepositIntent', args: [id, hash] }),
        ),
      )
      return intents.length === 0 ? null : Math.max(...intents.map(({ expiryTime }) => Number(expiryTime)))
    },
    /** How a deposit is paid, and the rate that a buyer has to offer; null once it is closed. */
    async readTerms(id: bigint): Promise<{ paymentMethod: Hash; currency: Hash; rate: bigint } | null> {
      const [paymentMethod] = await client.readContract({
        ...detailsAt,
        functionName: 'getDepositPaymentMethods',
        args: [id],
      })
      if (!paymentMethod) return null
      const [currency] = await client.readContract({
        ...detailsAt,
        functionName: 'getDepositCurrencies',
        args: [id, paymentMethod],
      })
      if (!currency) return null
      const rate = await client.readContract({
        ...escrowAt,
        functionName: 'getEffectiveRate',
        args: [id, paymentMethod, currency],
      })
      return { paymentMethod, currency, rate }
    },
    /** The hash of the intent that a transaction signaled. */
    signaledBy(receipt: TransactionReceipt): Hash {
      const [event] = parseEventLogs({
        abi: peerOrchestratorAbi,
        logs: receipt.logs,
        eventName: 'IntentSignaled',
      })
      if (!event) throw new Error('the transaction signaled nothing')
      return event.args.intentHash
    },
    /** Sends a transaction as an address without a known key, and leaves its coins as they were. */
    async sendAs(sender: Address, { address, abi, functionName, args }: CashCall): Promise<void> {
      const balance = await client.getBalance({ address: sender })
      await control('anvil_setBalance', [sender, numberToHex(balance + BUYER_COINS)])
      await control('anvil_impersonateAccount', [sender])
      try {
        const call = { address, abi, functionName, args, account: sender, chain: null }
        await client.simulateContract(call as never)
        await settle(await first.sender.writeContract(call), functionName)
      } finally {
        await control('anvil_stopImpersonatingAccount', [sender])
        await control('anvil_setBalance', [sender, numberToHex(balance)])
      }
    },
  }
}

/** Polls for the receipt itself: viem's own wait looks again only when there is another block. */
async function waitForReceipt(
  client: ReturnType<typeof connectWallet>['reader'],
  hash: Hash,
): Promise<TransactionReceipt> {
  const deadline = performance.now() + RECEIPT_PATIENCE_MS
  for (;;) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || performance.now() > deadline) throw error
      await sleep(RECEIPT_POLL_MS)
    }
  }
}
