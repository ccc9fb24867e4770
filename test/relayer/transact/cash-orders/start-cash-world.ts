import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import {
  encodeFunctionData,
  erc20Abi,
  getAddress,
  keccak256,
  parseEther,
  parseUnits,
  stringToHex,
  zeroAddress,
  type Address,
  type Hash,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { writeMissingAddresses } from '../../../../db/account/addresses/stealth-addresses.ts'
import { sql } from '../../../../db/connect-database.ts'
import { insertCashOrder } from '../../../../db/transact/cash-orders.ts'
import { lockCashOrdersOf, type FollowedCashOrder } from '../../../../db/transact/followed-cash-orders.ts'
import {
  computeDepositKey,
  hashOfName,
  peerEscrowAbi,
  type CreateDepositParams,
} from '../../../../relayer/chain/contracts/peer-escrow.ts'
import { readDescription } from '../../../devnet/devnet-description.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { createCashBook } from '../../../../relayer/transact/cash-orders/cash-book.ts'
import { OrderFollower } from '../../../../relayer/transact/orders/order-follower.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { openTestDatabase } from '../../../harness/open-test-database.ts'
import { at } from '../../../vectors/relay-story.ts'
import { seedAccount } from '../../account/seed-account.ts'
import { seedQuote } from '../../account/seed-quote.ts'
import { eventually } from '../../chain/indexer/start-index-world.ts'
import { startIndexer } from '../../chain/indexer/start-indexer.ts'
import { startTestDevnet } from '../../../harness/start-test-devnet.ts'

export const usd = (amount: string) => parseUnits(amount, 6)

/** A deposit, and the quote of its order. */
export interface MadeCash {
  quoteId: string
  depositor: Address
  depositId: bigint
}

export type CashWorld = Awaited<ReturnType<typeof startCashWorld>>

const mintAbi = [
  {
    type: 'function',
    name: 'mint',
    stateMutability: 'nonpayable',
    inputs: [{ type: 'address' }, { type: 'uint256' }],
    outputs: [],
  },
] as const

/** A chain with buyers who wait for commands, its index, and the follower of cash-outs. Blocks follow each transaction. */
export async function startCashWorld() {
  const devnet = await startTestDevnet({ cash: true, cashDelaySeconds: 0 })
  const [config] = devnet.devnet.chains
  const { chains, cash } = await readDescription(devnet.dataDir)
  const [described] = chains
  const peer = config?.venues.peer
  if (!config || !described || !cash || !peer) throw new Error('the devnet has no buyers')
  const { chainId, rpcUrl } = described
  const database = await openTestDatabase()
  const { pool } = database
  const logger = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' })
  const running = await startIndexer(pool, config)
  const told: string[] = []
  const follower = new OrderFollower({
    database: pool,
    book: createCashBook(pool, [config]),
    indexer: running.indexer,
    chains: [config],
    tell: (quoteIds) => told.push(...quoteIds),
    logger,
  })
  follower.start()
  const { reader } = connectWallet(described, at(described.accounts, 0).privateKey)
  const ask = <Result>(method: string, ...params: unknown[]) => askNode<Result>(rpcUrl, method, ...params)
  await ask('anvil_autoImpersonateAccount', true)
  const token = at(peer.tokens, 0)

  async function tell(command: string, members: object = {}): Promise<Hash> {
    const response = await fetch(`${cash?.url}/commands`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ command, ...members }),
    })
    const answer = (await response.json()) as { intentHash: Hash; message?: string }
    if (!response.ok) throw new Error(answer.message)
    return answer.intentHash
  }

  /** Sends a transaction of anybody, and waits for it. */
  async function send(from: Address, to: Address, data: Hex): Promise<Hash> {
    const hash = await ask<Hash>('eth_sendTransaction', { from, to, data, gas: '0x1e8480' })
    const receipt = await reader.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error('the transaction was reverted')
    return hash
  }

  const paramsOf = (amount: bigint, payee = 'alice'): CreateDepositParams => ({
    token,
    amount,
    intentAmountRange: { min: peer.minIntentAmount, max: amount },
    paymentMethods: [hashOfName('venmo')],
    paymentMethodData: [
      {
        intentGatingService: peer.gatingService,
        payeeDetails: keccak256(stringToHex(payee)),
        data: '0x',
      },
    ],
    currencies: [
      [
        {
          code: hashOfName('USD'),
          minConversionRate: parseEther('0.98'),
          oracleRateConfig: {
            adapter: at(peer.rates, 0).adapter,
            adapterConfig: at(peer.rates, 0).adapterConfig,
            spreadBps: 0,
            maxStaleness: 3_600,
          },
        },
      ],
    ],
    delegate: zeroAddress,
    intentGuardian: zeroAddress,
    retainOnEmpty: false,
  })

  async function fund(address: Address, amount: bigint): Promise<void> {
    await ask('anvil_setBalance', address, '0xde0b6b3a7640000')
    const data = encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [address, amount] })
    await send(address, token, data)
    await send(
      address,
      token,
      encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [peer!.escrow, amount] }),
    )
  }

  /** The order of a new account for the coming deposit of one of its addresses. */
  async function order(amount: bigint) {
    const depositor = getAddress(privateKeyToAddress(generatePrivateKey()))
    const { accountId } = await seedAccount(pool)
    await writeMissingAddresses(pool, { accountId, first: 0n, addresses: [depositor] })
    const quoteId = await seedQuote(pool, accountId)
    await pool.query(sql.typeAlias('void')`insert into intent (id, quote_id, account_id, place, chain_id, eoa,
        intent_nonce, combined_gas, transaction_gas, status, expires_at, from_block, ended_at)
      values (${randomUUID()}, ${quoteId}, ${accountId}, 0, ${chainId}, ${depositor}, 5, 1, 1, 'succeeded', now(), 1,
        now())`)
    await insertCashOrder(pool, {
      quoteId,
      accountId,
      originChainId: chainId,
      sourceToken: token,
      sourceAmount: amount,
      fromIncognito: false,
      chainId,
      escrow: peer!.escrow,
      orchestrator: peer!.orchestrator,
      depositor,
      token,
      amount,
      paymentMethod: 'venmo',
      currency: 'USD',
      payeeDetails: keccak256(stringToHex('alice')),
      minRate: parseEther('0.98'),
      rate: parseEther('1'),
      depositKey: computeDepositKey(depositor, paramsOf(amount)),
    })
    await fund(depositor, amount)
    return { quoteId, depositor, accountId }
  }

  /** The depositor's intent succeeded in a transaction, as far as anybody knows. */
  async function execute(depositor: Address, txHash: Hash): Promise<void> {
    const { blockNumber, blockHash } = await reader.getTransactionReceipt({ hash: txHash })
    await pool.query(sql.typeAlias(
      'void',
    )`insert into intent_event (chain_id, block_hash, log_index, block_number,
        block_time, tx_hash, orchestrator, eoa, intent_nonce, incremented, err)
      values (${chainId}, ${blockHash}, 1000, ${blockNumber}, now(), ${txHash}, ${zeroAddress}, ${depositor}, 5, true,
        '0x00000000')`)
    follower.nudge([depositor])
  }

  const readOrder = async ({ depositor }: Pick<MadeCash, 'depositor'>): Promise<FollowedCashOrder> =>
    at(await lockCashOrdersOf(pool, [depositor]), 0)

  async function open(amount: bigint): Promise<MadeCash> {
    const made = await order(amount)
    const data = encodeFunctionData({
      abi: peerEscrowAbi,
      functionName: 'createDeposit',
      args: [paramsOf(amount)],
    })
    await execute(made.depositor, await send(made.depositor, peer!.escrow, data))
    const { depositId } = await eventually(
      () => readOrder(made),
      (one) => one.depositId !== null,
    )
    return { ...made, depositId: depositId ?? 0n }
  }

  return {
    chainId,
    pool,
    peer,
    token,
    reader,
    told,
    ask,
    tell,
    send,
    fund,
    paramsOf,
    order,
    execute,
    open,
    readOrder,
    /** A command about a deposit. */
    about: ({ depositId }: MadeCash, command: string, members: object = {}) =>
      tell(command, { chainId, depositId: String(depositId), ...members }),
    /** A command about a part that a buyer holds. */
    aboutHeld: (intentHash: Hash, command: string, members: object = {}) =>
      tell(command, { chainId, intentHash, ...members }),
    withdraw: ({ depositor, depositId }: MadeCash) =>
      send(
        depositor,
        peer.escrow,
        encodeFunctionData({ abi: peerEscrowAbi, functionName: 'withdrawDeposit', args: [depositId] }),
      ),
    balanceOf: (address: Address) =>
      reader.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
    /** Waits until the whole chain is indexed, and reviews once more. */
    async settle(made: Pick<MadeCash, 'depositor'>): Promise<FollowedCashOrder> {
      await eventually(
        async () => ({
          head: await reader.getBlock(),
          progress: at(await running.indexer.progress(), 0),
        }),
        ({ head, progress }) => progress.indexedHash === head.hash,
      )
      await createCashBook(pool, [config]).review([made.depositor])
      return readOrder(made)
    },
    async [Symbol.asyncDispose]() {
      await follower.stop()
      await running.stop()
      await database.drop()
      await devnet[Symbol.asyncDispose]()
    },
  }
}
