import { parseAbi, parseUnits, type Address } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../../db/connect-database.ts'
import { insertConversions } from '../../../../../db/pool/notes/pool-conversions.ts'
import { entrypointAbi } from '../../../../../relayer/chain/contracts/privacy-pools.ts'
import { poolEventsAbi } from '../../../../devnet/pool-events.ts'
import { makeSecrets, precommitmentOf } from '../../../../../schema/client/pool/note.ts'
import { noteValueOf } from '../../../../../relayer/transact/kinds/pool-deposit/deposit-amounts.ts'
import { encodeDeposit } from '../../../../../relayer/transact/kinds/pool-deposit/deposit-calls.ts'
import type { Sender, SubmissionWorld, TestQuote } from '../../submissions/start-submission-world.ts'

const GROSS = parseUnits('20', 6)
const FEE = 10n
const VETTING_FEE_BPS = 50n
/** As much as all test accounts together may lose: they are new, and many. */
const RICH = { unpaidGasPerHour: 1_000_000_000 }

/** A quote of deposits, and their precommitments by place. */
export interface Conversion extends TestQuote {
  precommitments: readonly bigint[]
}

const rowOfConversion = z.object({
  quoteId: z.string(),
  precommitment: z.bigint(),
  hasEnded: z.boolean(),
  status: z.string(),
  txHash: z.string().nullable(),
})

/** Conversions in a world of submissions, over the pool of its token. */
export async function openConversions(world: SubmissionWorld) {
  const { token, chainId, reader, pool: database, config } = world
  const { entrypoint } = config.relayer!
  const [pool] = await reader.readContract({
    address: entrypoint,
    abi: entrypointAbi,
    functionName: 'assetConfig',
    args: [token],
  })
  const made: Conversion[] = []

  /** A locked quote in which each address of the sender deposits. */
  async function convert(
    sender: Sender,
    changes: { expiry?: bigint; expiresInSeconds?: number } = {},
  ): Promise<Conversion> {
    const precommitments = sender.keys.map(() => precommitmentOf(makeSecrets()))
    const quote = await world.quote(sender, {
      ...changes,
      recipient: pool,
      other: {
        kind: 'pool_deposit',
        combinedGas: 800_000n,
        held: GROSS + FEE,
        details: {
          net: null,
          mayJoin: true,
          vettingFeeBps: String(VETTING_FEE_BPS),
          precommitments: precommitments.map((one, depositIndex) => ({
            depositIndex,
            precommitment: String(one),
          })),
        },
        calls: (_, place) =>
          encodeDeposit({
            entrypoint,
            token,
            gross: GROSS,
            precommitment: precommitments[place]!,
            allowance: 0n,
          }),
        keep: (transaction, of) =>
          insertConversions(
            transaction,
            { ...of, pool: { chainId, address: pool } },
            sender.keys.map(({ address }, place) => ({
              place,
              address,
              depositIndex: place,
              precommitment: precommitments[place]!,
              gross: GROSS,
              net: noteValueOf(GROSS, VETTING_FEE_BPS),
              depositFee: 2n,
            })),
          ),
      },
    })
    const conversion = { ...quote, precommitments }
    made.push(conversion)
    return conversion
  }

  /** Precommitments of the deposits in the pool, each with the transaction that made it. */
  async function listOnChain() {
    const logs = await reader.getContractEvents({
      address: pool,
      abi: poolEventsAbi,
      eventName: 'Deposited',
      fromBlock: 0n,
    })
    return logs.map(({ args, transactionHash }) => ({
      depositor: args._depositor!,
      precommitment: args._precommitmentHash!,
      transactionHash,
    }))
  }

  return {
    pool,
    entrypoint,
    settings: (spacingMs: number, chain: Record<string, unknown> = {}) => ({
      config: { conversionSpacingMs: spacingMs },
      relayer: RICH,
      chain,
    }),
    openConverter: (addresses: number) => world.openSender(addresses, GROSS + FEE),
    convert,
    listOnChain,
    /** Deposits as a stranger under a seen precommitment, before every transaction that pays less. */
    async frontRun(precommitment: bigint): Promise<void> {
      const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 11n, gas: 1_000_000n }
      await world.thief.sender.writeContract({
        address: entrypoint,
        abi: parseAbi(['function deposit(uint256 _precommitment) payable returns (uint256 _commitment)']),
        functionName: 'deposit',
        args: [precommitment],
        value: 10n ** 16n,
        ...fees,
      })
    },
    /**
     * Expects the database to match the chain: each deposit was made at most once, by its own address. Deposits of one
     * account are in different transactions. Exactly the failed ones have ended, and nothing is locked any more.
     */
    async expectTrueDeposits(): Promise<void> {
      const onChain = Map.groupBy(await listOnChain(), ({ precommitment }) => precommitment)
      const rows = await database.any(sql.type(rowOfConversion)`
        select conversion.quote_id as "quoteId", precommitment, conversion.ended_at is not null as "hasEnded", status,
          tx_hash as "txHash"
        from pool_conversion as conversion join intent using (quote_id, place)`)
      const quotes = await world.quotes()
      for (const { quoteId, accountId, sender, precommitments } of made) {
        const own = rows.filter((row) => row.quoteId === quoteId)
        const seen = new Set<string>()
        for (const [place, precommitment] of precommitments.entries()) {
          const address: Address = sender.keys[place]!.address
          const deposits = (onChain.get(precommitment) ?? []).filter(({ depositor }) => depositor === address)
          expect(deposits.length).toBeLessThanOrEqual(1)
          for (const { transactionHash } of deposits) {
            expect(seen.has(transactionHash), `two addresses of ${accountId} in a transaction`).toBe(false)
            seen.add(transactionHash)
          }
          const row = own.find((one) => one.precommitment === precommitment)
          if (!row) continue
          expect(row.status).toBe(deposits.length === 1 ? 'succeeded' : 'failed')
          expect(row.hasEnded).toBe(deposits.length === 0)
          if (deposits[0]) expect(row.txHash).toBe(deposits[0].transactionHash)
        }
        const state = quotes.find(({ id }) => id === quoteId)!
        if (own.length > 0) expect(state.status).toBe(seen.size === own.length ? 'confirmed' : 'failed')
      }
    },
  }
}
