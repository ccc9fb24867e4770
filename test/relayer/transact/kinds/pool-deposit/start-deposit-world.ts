import { zeroAddress, type Address } from 'viem'
import { z } from 'zod'
import { sql } from '../../../../../db/connect-database.ts'
import { NATIVE_ASSET } from '../../../../../relayer/chain/nodes/config.ts'
import type { DescribedPool } from '../../../../devnet/devnet-description.ts'
import { makeSecrets, precommitmentOf } from '../../../../../schema/client/pool/note.ts'
import type { Quote } from '../../../../../schema/client/quotes/send.ts'
import { relayStatus } from '../../../../../schema/transact/submit-model.ts'
import { openPayer, waitUntilIndexed, type Payer } from '../../../../harness/chain-actors.ts'
import type { TestService } from '../../../../harness/start-service.ts'
import { startSendingService } from '../../quotes/start-sending-service.ts'
import { openWalletSender, type WalletSender } from '../../submissions/open-wallet-sender.ts'

/** A quote of a deposit, as it is answered. */
export type DepositQuote = Quote & {
  protocolFeeAmount: string
  fees: { vetting: string; deposit: string }
  poolAddress: Address
  deposits: QuotedDeposit[]
}

interface QuotedDeposit {
  address: Address
  depositIndex: number
  precommitment: string
  amount: string
  grossAmount: string
  vettingFee: string
  depositFee: string
}

export interface DepositWorld {
  service: TestService
  payer: Payer
  native: DescribedPool
  /** Of the first token that has one. */
  token: DescribedPool
  /** Signs in another depositor. */
  openDepositor(): Promise<Depositor>
  /** How a quote stands. */
  statusOf(depositor: Depositor, quoteId: string): Promise<string>
  stop(): Promise<void>
}

export interface Depositor extends Omit<WalletSender, 'post'> {
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Record<string, unknown> }>
  /** Asks for a quote; the members of `body` replace the default request. */
  ask(body: Record<string, unknown>): Promise<{ status: number; body: DepositQuote & { code?: string } }>
  /** @throws Error unless the quote is answered. */
  demand(body: Record<string, unknown>): Promise<DepositQuote>
  /** Signs a quote and submits it. */
  submit(quote: DepositQuote): Promise<{ status: number; body: Record<string, unknown> }>
}

/** Precommitments of fresh notes, by consecutive indices. */
export const precommitmentsFrom = (first: number, count = 1) =>
  Array.from({ length: count }, (_, place) => ({
    depositIndex: first + place,
    precommitment: String(precommitmentOf(makeSecrets())),
  }))

/** The zero address where the pools say 0xEeee…. */
export const tokenOf = ({ asset }: DescribedPool): Address => (asset === NATIVE_ASSET ? zeroAddress : asset)

/** The whole service on a devnet with its pools. */
export async function startDepositWorld(settings: Record<string, unknown> = {}): Promise<DepositWorld> {
  const { transact = {}, http = {}, ...others } = settings
  const service = await startSendingService({
    ...others,
    http: { trustedProxies: 1, ...(http as object) },
    transact: {
      ...(transact as object),
      submissions: { conversionSpacingMs: 0, ...(transact as { submissions?: object }).submissions },
    },
  })
  const payer = await openPayer(service, 5)
  const native = payer.chain.pools.find(({ asset }) => asset === NATIVE_ASSET)
  const token = payer.chain.pools.find(({ asset }) => asset !== NATIVE_ASSET)
  if (!native || !token) throw new Error('the devnet has not the pools that the test needs')
  const { chainId } = payer.chain

  let depositors = 0
  async function openDepositor(): Promise<Depositor> {
    depositors += 1
    // Each signs in from a network of its own: ten may sign in from one within a minute.
    const headers = { 'x-forwarded-for': `10.0.0.${depositors}` }
    const sender = await openWalletSender(service, payer, [payer.chain], headers)
    const ask: Depositor['ask'] = (body) =>
      sender.post('/quote', { type: 'pool_deposit', chainId, token: zeroAddress, ...body })
    return {
      ...sender,
      ask,
      async demand(body) {
        const { status, body: answer } = await ask(body)
        if (status !== 200) throw new Error(JSON.stringify(answer))
        return answer
      },
      submit: async (deposit) => sender.post('/submit', await sender.sign(deposit)),
    }
  }

  return {
    service,
    payer,
    native,
    token,
    openDepositor,
    async statusOf(depositor, quoteId) {
      const { body } = await depositor.get(`/relay-status/${quoteId}`)
      return relayStatus.parse(body).status
    },
    stop: () => service.stop(),
  }
}

const depositRow = z.object({
  account: z.string(),
  value: z.bigint(),
  precommitment: z.bigint(),
  txHash: z.string(),
  label: z.bigint(),
})

/** The deposits that the indexer has seen in a pool, in the order of their leaves. */
export async function listDeposits({ service, payer }: DepositWorld, { pool }: DescribedPool) {
  await waitUntilIndexed(service, payer)
  return service.database.pool.any(sql.type(depositRow)`
    select account, value, precommitment, tx_hash as "txHash", label from pool_event
    where kind = 'deposit' and contract = ${pool} order by block_number, log_index`)
}

const conversionRow = z.object({
  place: z.int(),
  depositIndex: z.bigint(),
  hasEnded: z.boolean(),
  status: z.string().nullable(),
})

/** Lists a quote's deposits in the database. */
export const listConversions = ({ service }: DepositWorld, quoteId: string) =>
  service.database.pool.any(sql.type(conversionRow)`
    select conversion.place, deposit_index as "depositIndex", conversion.ended_at is not null as "hasEnded", status
    from pool_conversion as conversion left join intent using (quote_id, place)
    where quote_id = ${quoteId} order by place`)
