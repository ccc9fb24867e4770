import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createVault } from '../../../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../../../relayer/identity/key-wrapper.ts'
import { createPoolBooks } from '../../../../relayer/pool/book/pool-books.ts'
import type { ToldSpend } from '../../../../relayer/pool/book/book-content.ts'
import { submitSpend } from '../../../../relayer/transact/pool-spending/submit-spend.ts'
import { post, relayBody, runConcurrently, untilFinal } from '../../../harness/relay-requests.ts'
import { startTestService, type TestService } from '../../../harness/start-service.ts'
import { loadRelayVectors, type RelayVector } from '../../../vectors/load-relay-vectors.ts'
import { addAccount } from '../../identity/open-instance.ts'
import { createWallet } from '../../identity/wallet.ts'
import { linkSpends, type SeenSpend, type Suspect } from './linker/link-spends.ts'
import { shuffle } from './linker/shuffle.ts'
import { readLog, takeDump, type Trace } from './linker/take-dump.ts'

const ACCOUNTS = 20
const SPENDS = 2
const CHANCE = 100 / ACCOUNTS

interface MadeSpend extends SeenSpend {
  isTold: boolean
}

let service: TestService
let suspects: Suspect[]
let spends: MadeSpend[]
let traces: Trace[]

/**
 * Every other account reports its spends, as a wallet does: the notes are planned, their hashes reported, then relayed.
 */
beforeAll(async () => {
  const lines: string[] = []
  service = await startTestService(
    { broadcast: { leaseMs: 1_000, retainMs: 0 }, logLevel: 'debug' },
    { hasVectorDeposits: true, log: { write: (line) => void lines.push(line) } },
  )
  const vault = createVault([createKeyWrapper(randomBytes(32))])
  const books = createPoolBooks(service.database.pool, vault)
  const parts = { database: service.database.pool, vault, books }
  const accounts: string[] = []
  for (let place = 0; place < ACCOUNTS; place += 1)
    accounts.push(await addAccount(service.database, vault, createWallet()))

  const tell = async (accountId: string, { pool, publicSignals }: RelayVector, label: bigint) => {
    const booked = { chainId: 31_337, address: loadRelayVectors().story.pools[pool].pool }
    const spend = planned(label)
    await books.change(accountId, booked, async ({ content }) => ({
      content: { ...content, spends: [...content.spends, spend] },
      result: null,
    }))
    const [newCommitment, nullifierHash] = publicSignals
    const told = {
      commitmentId: String(label),
      nullifierHash: BigInt(nullifierHash!),
      newCommitment: BigInt(newCommitment!),
    }
    await submitSpend(parts, accountId, { quoteId: spend.id, withdrawals: [told] })
  }

  const vectors = loadRelayVectors().relays.slice(0, ACCOUNTS * SPENDS)
  const schedule = shuffle(vectors.map((_, place) => place % ACCOUNTS)).map((truth, place) => ({
    truth,
    place,
    vector: vectors[place]!,
  }))
  const made = await runConcurrently(schedule, 8, async ({ truth, place, vector }): Promise<MadeSpend> => {
    const isTold = truth % 2 === 0
    if (isTold) await tell(accounts[truth]!, vector, BigInt(place + 1))
    await sleep(Math.random() * 300)
    const time = Date.now()
    const { body } = await post(service.url, '/relayer/request', await relayBody(vector))
    const { txHash } = await untilFinal(service.url, String(body['requestId']))
    const words = [String(txHash), vector.recipient.toLowerCase(), String(vector.publicSignals[1])]
    return { words, time, withdrawn: 1n, truth, isTold }
  })
  spends = made.toSorted((one, other) => one.time - other.time)
  suspects = accounts.map((accountId) => ({ words: [accountId] }))
  traces = [...(await takeDump(service.database.pool)), ...readLog(lines)]
})
afterAll(() => service?.stop())

const planned = (label: bigint): ToldSpend => ({
  id: randomUUID(),
  kind: 'incognito_send',
  receives: 5n,
  fee: 0n,
  until: Date.now() + 60_000,
  isUnlocked: false,
  parts: [{ label, withdrawalIndex: 0, value: 5n, withdraws: 5n, spentBy: null }],
})

it('a copy of database and logs does not reveal who made forty spends, half of them reported', () => {
  expect(spends.filter(({ isTold }) => isTold)).toHaveLength((ACCOUNTS * SPENDS) / 2)
  // Of so few spends, a linker that knows nothing hits a few more or less. test/deep has more.
  expect(linkSpends(suspects, spends, traces).percent).toBeLessThan(CHANCE + 12)
  for (const table of ['pool_book', 'pool_spend']) {
    const rows = traces.filter(({ source }) => source === table)
    expect(rows.length).toBeGreaterThan(1)
    for (const read of [sizeOf, ({ xmin }: Trace) => xmin])
      expect(new Set(rows.map(read)).size, table).toBe(1)
  }
})

const sizeOf = ({ sizes }: Trace) => sizes['sealed']

/** Leaks that a table would have if spends left a row with their account, and something that belongs to the relay. */
const LEAKS: Record<string, (spend: MadeSpend, place: number) => Partial<Trace>> = {
  'a shared id': ({ words }) => ({ words: words.slice(0, 1) }),
  'a time': ({ time }) => ({ times: { created_at: time - 5 } }),
  'the transaction that wrote it': (spend) => ({ xmin: relayOf(spend).xmin! - 1 }),
  'its place in the table': (_, place) => ({ orders: { place } }),
}
const relayOf = ({ words }: MadeSpend) =>
  traces.find((row) => row.source === 'relay_request' && row.words.includes(words[2]!))!

it.each(Object.keys(LEAKS))('the linker finds who spends by %s of a row, where that is left', (leak) => {
  const planted = spends.map((spend, place): Trace => {
    const left = LEAKS[leak]!(spend, place)
    const words = [...suspects[spend.truth]!.words, ...(left.words ?? [])]
    return { source: 'planted', times: {}, xmin: null, orders: {}, sizes: {}, ...left, words }
  })
  const { percent } = linkSpends(suspects, spends, [...traces, ...planted])
  expect(percent).toBeGreaterThan(3 * CHANCE)
})
