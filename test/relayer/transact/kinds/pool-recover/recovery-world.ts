import { createWalletClient, http, parseUnits, type Address, type Hex } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../../db/connect-database.ts'
import { insertRecovery } from '../../../../../db/transact/pool-recoveries.ts'
import { entrypointAbi } from '../../../../../relayer/chain/contracts/privacy-pools.ts'
import { poolEventsAbi } from '../../../../devnet/pool-events.ts'
import { deposit } from '../../../../devnet/wallet/deposit.ts'
import { proveRagequit } from '../../../../../schema/client/pool/encode-ragequit.ts'
import type { Note } from '../../../../../schema/client/pool/note.ts'
import { startProver } from '../../../../devnet/wallet/prover.ts'
import type { Sender, SubmissionWorld, TestQuote } from '../../submissions/start-submission-world.ts'

const GROSS = parseUnits('20', 6)
/** As many transactions has a depositor sent before: an approval and the deposit. */
const SENT_BEFORE = 2
const AHEAD = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 11n, gas: 1_000_000n }

/** A deposit in the pool, with the calldata that takes it back. */
export interface Recoverable {
  sender: Sender
  note: Note
  recoverCalldata: Hex
}

/** A quote that takes a deposit back. */
export interface Recovery extends TestQuote {
  of: Recoverable
}

const rowOfRecovery = z.object({
  quoteId: z.string(),
  hasEnded: z.boolean(),
  status: z.string(),
  isBlank: z.boolean(),
})

/** Recoveries in a world of submissions, from the pool of its token, with real proofs. */
export async function openRecoveries(world: SubmissionWorld) {
  const { token: asset, chainId, reader, pool: database, config } = world
  const { entrypoint } = config.relayer!
  const [pool] = await reader.readContract({
    address: entrypoint,
    abi: entrypointAbi,
    functionName: 'assetConfig',
    args: [asset],
  })
  const prover = startProver()
  const made: Recovery[] = []

  const walletOf = ({ keys: [account] }: Sender) => ({
    account: account!,
    reader,
    sender: createWalletClient({
      account: account!,
      chain: world.thief.sender.chain,
      transport: http(config.rpcUrls[0]),
    }),
  })

  /** A new account's deposit, by its one address. */
  async function openDeposit(): Promise<Recoverable> {
    const sender = await world.openSender(1, GROSS)
    await world.ask('anvil_setBalance', sender.keys[0]!.address, '0xde0b6b3a7640000')
    const { note } = await deposit(walletOf(sender), { entrypoint, asset, pool, gross: GROSS })
    return { sender, note, recoverCalldata: await proveRagequit(prover, note) }
  }

  /** A locked quote that takes the deposit back and pays its fee out of the returned funds. */
  async function recover(of: Recoverable, changes: { expiry?: bigint } = {}): Promise<Recovery> {
    const { sender, note, recoverCalldata } = of
    const { label, value } = note
    const quote = await world.quote(sender, {
      ...changes,
      recipient: sender.keys[0]!.address,
      authorizationNonce: SENT_BEFORE,
      other: {
        kind: 'pool_recover',
        combinedGas: 800_000n,
        held: value,
        brings: true,
        details: { commitmentId: String(label), recoverCalldata, acknowledgedPublicLink: false },
        calls: () => [{ to: pool, value: 0n, data: recoverCalldata }],
        keep: (transaction, quoteOf) => insertRecovery(transaction, quoteOf, { chainId, pool, label }),
      },
    })
    const recovery = { ...quote, of }
    made.push(recovery)
    return recovery
  }

  /** Labels of the deposits that were taken back, each with who did. */
  async function listOnChain(): Promise<{ label: bigint; depositor: Address; value: bigint }[]> {
    const logs = await reader.getContractEvents({
      address: pool,
      abi: poolEventsAbi,
      eventName: 'Ragequit',
      fromBlock: 0n,
    })
    return logs.map(({ args }) => ({
      label: args._label!,
      depositor: args._ragequitter!,
      value: args._value!,
    }))
  }

  return {
    openDeposit,
    recover,
    listOnChain,
    close: () => prover.close(),
    /** The depositor takes the deposit back by a transaction of their own, before anything that pays less. */
    async frontRun({ sender, recoverCalldata }: Recoverable): Promise<void> {
      await walletOf(sender).sender.sendTransaction({ to: pool, data: recoverCalldata, ...AHEAD })
    },
    /**
     * Expects the database to match the chain: each deposit was taken back at most once, whole, by its depositor. A
     * quote that did so is confirmed and holds the label for ever; a failed one holds nothing and says nothing.
     */
    async expectTrueRecoveries(): Promise<void> {
      const onChain = Map.groupBy(await listOnChain(), ({ label }) => label)
      const rows = await database.any(sql.type(rowOfRecovery)`
        select quote_id as "quoteId", recovery.ended_at is not null as "hasEnded", quote.status,
          quote.terms = '{}' and quote.asked = '{}'
            and not exists (select from intent where intent.quote_id = quote.id and encoded is not null) as "isBlank"
        from pool_recovery as recovery join quote on quote.id = quote_id`)
      for (const { quoteId, of, intents } of made) {
        const { note, sender } = of
        const ragequits = onChain.get(note.label) ?? []
        expect(ragequits.length).toBeLessThanOrEqual(1)
        for (const one of ragequits)
          expect(one).toMatchObject({ depositor: sender.keys[0]!.address, value: note.value })
        const executed = await world.executionsOf(intents[0]!)
        const row = rows.find((one) => one.quoteId === quoteId)
        expect(row).toMatchObject(
          executed.length === 1
            ? { status: 'confirmed', hasEnded: false }
            : { status: 'failed', hasEnded: true, isBlank: true },
        )
      }
    },
  }
}
