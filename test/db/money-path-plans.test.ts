import { createHash } from 'node:crypto'
import type { CommonQueryMethods } from 'slonik'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as gasBudget from '../../db/chain/unpaid-gas/gas-budget.ts'
import * as outboundForms from '../../db/chain/broadcast/outbound-forms.ts'
import * as outboundQueue from '../../db/chain/broadcast/outbound-queue.ts'
import * as outboundSettle from '../../db/chain/broadcast/outbound-settle.ts'
import * as outboundWatch from '../../db/chain/broadcast/outbound-watch.ts'
import * as signerLeases from '../../db/chain/broadcast/signer-leases.ts'
import { sql } from '../../db/connect-database.ts'
import * as idempotencyKeys from '../../db/idempotency/idempotency-keys.ts'
import { findAccountOf } from '../../db/identity/account-standing.ts'
import { readStanding } from '../../db/identity/expiring-rows.ts'
import * as batches from '../../db/transact/batches.ts'
import { listFundingCandidates } from '../../db/transact/funding-candidates.ts'
import * as intentsEnd from '../../db/transact/intents-end.ts'
import { readRelayProgress } from '../../db/transact/intents-progress.ts'
import * as intentsSubmit from '../../db/transact/intents-submit.ts'
import * as quotes from '../../db/transact/quotes.ts'
import * as reservations from '../../db/transact/reservations.ts'
import { endRelays } from '../../db/pool/relay/relay-ledger.ts'
import * as relayRequests from '../../db/pool/relay/relay-requests.ts'
import { limitsOf } from '../../relayer/chain/unpaid-gas/budget-rules.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import { addressOf, seedMoneyPath, idOf, LARGE_TABLES } from './seed-money-path.ts'
import { findScannedTables } from './explain-statements.ts'

let database: TestDatabase
const ids = {} as Record<
  'account' | 'outbound' | 'request' | 'quote' | 'intent' | 'batch' | 'owner' | 'address',
  string
>

beforeAll(async () => {
  database = await openTestDatabase()
  await seedMoneyPath(database.pool)
  const row = z.object({ id: z.string() })
  for (const table of ['account', 'outbound', 'request', 'quote', 'intent', 'batch', 'owner'] as const)
    ids[table] = await database.pool.oneFirst(
      sql.type(row)`select ${idOf(table)}::text as id from (values (77)) as one (n)`,
    )
  ids.address = await database.pool.oneFirst(
    sql.type(row)`select ${addressOf} as id from (values (77)) as one (n)`,
  )
}, 120_000)
afterAll(() => database?.drop())

type Work = (connection: CommonQueryMethods) => Promise<unknown>
const signer = { chainId: 1, address: 'signer1' }
const signed = () => ({ id: ids.outbound, signer: 'signer1', txNonce: 77 }) as const
const form = {
  hash: '0x01',
  raw: '0x01',
  maxFeePerGas: 1n,
  maxPriorityFeePerGas: 1n,
  reserved: 1n,
} as const
const counts = [{ address: 'signer1', counted: 134_970 }]
const review = { kinds: ['relay'], afterMs: 60_000 }
const key = () => ({
  accountId: ids.account,
  operation: 'submit',
  keyHash: createHash('sha256').update('77').digest(),
})
const deferred = () => [{ id: ids.intent, attempts: 1 as const, delayMs: 1 }]
const reserved = () => [
  {
    chainId: 1,
    address: ids.address as `0x${string}`,
    token: '0x00' as const,
    amount: 1n,
    networkFee: 0n,
    serviceFee: 0n,
  },
]

const outbox: Record<string, Work> = {
  'what is under way is counted': (c) => outboundQueue.countUnfinished(c, 1),
  'queued transactions are taken': (c) =>
    outboundQueue.lockQueued(c, 1, {
      limit: 32,
      kinds: ['test'],
      maxFeePerGas: 1n,
      most: 10n ** 18n,
      review,
      except: [],
    }),
  'old queued transactions are reviewed': (c) =>
    outboundQueue.listUnreviewed(c, 1, { limit: 32, except: [] }, review),
  'a review is noted': (c) => outboundQueue.markReviewed(c, [ids.outbound]),
  'nonces are assigned': (c) =>
    outboundQueue.writeAssignments(
      c,
      [{ outboundId: ids.outbound, signer: '0x01', txNonce: 1, attempt: form }],
      [{ ...signer, txNonce: 2 }],
    ),
  'unfinished transactions are listed': (c) => outboundWatch.listUnfinished(c, 1, ids.owner),
  'a node took transactions': (c) =>
    outboundWatch.markAccepted(c, [
      { hash: '0x01', outboundId: ids.outbound, isNews: true, message: 'sent' },
      { hash: '0x02', outboundId: ids.outbound, isNews: false, message: 'sent' },
    ]),
  'a node refused one': (c) =>
    outboundWatch.markRefused(c, '0x01', {
      message: 'no',
      delivery: 'refused',
      unexplained: 1,
      lessee: ids.owner,
    }),
  'receipts are seen': (c) =>
    outboundWatch.markMined(c, [
      { id: ids.outbound, block: { hash: '0x01', blockHash: '0x02', blockNumber: 3n, succeeded: true } },
    ]),
  'the newest forms are locked': (c) => outboundForms.lockNewestForms(c, [signed()]),
  'the first forms are locked': (c) => outboundForms.lockNewestForms(c, [signed()], ids.owner),
  'refused forms are offered again': (c) => outboundForms.noteOffered(c, ['0x01']),
  'all forms of one are locked': (c) => outboundForms.lockForms(c, signed()),
  'a replacement is written': async (c) => {
    await outboundForms.lockUnmined(c, signed())
    await outboundForms.insertReplacement(c, ids.outbound, form)
  },
  'one is found pointless': (c) => outboundForms.markPointless(c, signed(), 'why'),
  'calls and raw forms are read': async (c) => {
    await outboundForms.listQueuedCalls(c, [ids.outbound])
    await outboundForms.readRawAttempts(c, ['0x01'])
  },
  'transactions end': (c) =>
    outboundSettle.finishMined(c, [
      {
        id: ids.outbound,
        status: 'confirmed',
        hash: '0x01',
        blockNumber: 1n,
        blockHash: '0x02',
        fee: 1n,
        gasUsed: 1n,
        message: '{}',
      },
    ]),
  'a nonce is given up': (c) => outboundSettle.requeueSigned(c, ids.outbound),
  'one that gave its nonce up ends': (c) => outboundSettle.abandonSigned(c, ids.outbound, 'why'),
  'a queued one is abandoned': (c) => outboundSettle.abandonQueued(c, ids.outbound, 'why'),
  'progress is read': (c) => outboundSettle.readProgress(c, ids.outbound),
  'what is settled is forgotten': (c) => outboundSettle.forgetSettled(c, 600_000),
  'signers are added': (c) => signerLeases.addSigners(c, [signer]),
  'leases are shared': (c) => signerLeases.shareSigners(c, ids.owner, [{ ...signer, duty: 'sends' }], 1_000),
  'signers are locked with their load': (c) => signerLeases.lockLeasedSigners(c, 1, ids.owner),
  'next nonces are read and raised': async (c) => {
    await signerLeases.readNextTxNonces(c, 1)
    await signerLeases.raiseNextTxNonces(c, 1, counts)
  },
  'gaps are looked for': (c) => signerLeases.findNonceGaps(c, 1, ids.owner, counts, 64),
}

const relays: Record<string, Work> = {
  'the request of a note': (c) =>
    relayRequests.findRequestOfNote(c, { chainId: 1, pool: 'pool', nullifierHash: 77n }),
  'a request by its id': (c) => relayRequests.findRelayRequest(c, ids.request),
  'requests by their ids': (c) => relayRequests.listRelayRequests(c, [ids.request]),
  'a request by its nullifierHash': (c) => relayRequests.findRequestByNullifier(c, 77n),
  'the newest requests': (c) => relayRequests.listNewestRequests(c, 20),
  'requests end': (c) => endRelays(c, []),
}

const sends: Record<string, Work> = {
  'a token is checked': (c) => readStanding(c, { tokenId: 'token77', authAddress: ids.address }),
  'an account signs in': (c) => findAccountOf(c, ids.address),
  'an idempotency key is looked up, claimed, renewed, answered and freed': async (c) => {
    await idempotencyKeys.findAnswer(c, key())
    await idempotencyKeys.claimKey(c, key(), {
      claimId: ids.owner,
      inputHash: createHash('sha256').digest(),
      leaseMs: 1_000,
      keepSeconds: 60,
      mostKeys: 20_000,
      mostBytes: 1_000_000,
    })
    await idempotencyKeys.renewClaim(c, ids.owner, key(), 1_000)
    await idempotencyKeys.storeAnswer(c, ids.owner, key(), Buffer.from('{}'))
    await idempotencyKeys.releaseClaim(c, ids.owner, key())
  },
  'expired keys are purged': (c) => idempotencyKeys.purgeExpiredKeys(c),
  'funds are chosen': (c) => listFundingCandidates(c, ids.account, { chainId: 1, token: 'token' }),
  'funds are reserved': (c) => reservations.reserveFunds(c, ids.quote, reserved()),
  'reservations are listed, spent and released': async (c) => {
    await reservations.listReservations(c, ids.quote)
    await reservations.markSpent(c, [{ quoteId: ids.quote, address: ids.address, blockNumber: 1n }])
    await reservations.releaseReservations(c, [ids.quote])
  },
  'what was spent is released': (c) => reservations.releaseSpent(c, 1, 100n),
  'a quote is read, locked and ended': async (c) => {
    await quotes.findQuote(c, ids.account, ids.quote)
    await quotes.lockQuote(c, ids.account, ids.quote)
    await quotes.endLockedQuote(c, ids.quote, 'expired')
  },
  'expired quotes are taken': (c) => quotes.lockExpiredQuotes(c, 50),
  'a quote is submitted': async (c) => {
    await intentsSubmit.findSubmittableQuote(c, ids.account, ids.quote, 86_400_000)
  },
  'how a quote stands': (c) => readRelayProgress(c, ids.account, [ids.quote]),
  'waiting intents are listed': (c) => batches.listQueuedIntents(c, 1, 400),
  'overdue intents are listed': (c) => batches.listOverdueIntents(c, 1, 400),
  'intents of a batch are listed': (c) => batches.listBatchedIntents(c, ids.batch),
  'empty batches leave the queue': (c) => batches.abandonEmptyBatches(c, ids.quote),
  'pointless batches are emptied': (c) => batches.emptyPointlessBatches(c, 1, 21_000n),
  'a batch is written': async (c) => {
    await batches.lockQueuedIntents(c, [ids.intent])
    const line = { reference: ids.quote, share: 'send', contracts: ['0x01'], gas: 1n, paidGas: null } as const
    const asked = { chainId: 1, lines: [line], limits: limitsOf(10_000_000n), provenAfter: 5 }
    await gasBudget.listFittingGas(c, asked)
    await batches.insertBatch(
      c,
      {
        id: ids.batch,
        chainId: 1,
        outboundId: ids.outbound,
        shares: [{ accountId: ids.account, quoteId: ids.quote }],
        intentIds: [ids.intent],
      },
      gasBudget.takingGas(ids.outbound, asked),
    )
    await batches.findQuotesOfBatch(c, ids.batch)
  },
  'a batch is settled': async (c) => {
    await intentsEnd.lockBatch(c, ids.batch)
    await intentsEnd.endIntents(c, [{ id: ids.intent, status: 'succeeded', txHash: '0x01', error: null }])
    await intentsEnd.requeueIntents(c, deferred(), { txHash: null, exposed: true })
    await intentsEnd.mayBeKnown(c, ids.outbound)
    await intentsEnd.listIntentStates(c, [ids.quote])
    await gasBudget.bookBatchGasEnd(c, {
      outboundId: ids.outbound,
      chainId: 1,
      gasUsed: 1n,
      paidIntentIds: [],
      unpaidIntentIds: [ids.intent],
    })
    await intentsEnd.endSubmittedQuotes(c, [{ quoteId: ids.quote, state: 'confirmed', failure: null }])
  },
  'a failing quote is judged': async (c) => {
    await intentsEnd.lockUnderWay(c, ids.quote, 'queued')
    await intentsEnd.deferIntents(c, deferred())
  },
  'ended intents are forgotten': (c) => intentsSubmit.forgetEndedIntents(c, 600_000),
}

describe('with a long history, no query on the way of money scans a whole table:', () => {
  test.each(Object.entries({ ...outbox, ...relays, ...sends }))('%s', async (_, work) => {
    const { statements, scanned } = await findScannedTables(database.pool, work)
    expect(statements).toBeGreaterThan(0)
    expect(scanned.filter((table) => LARGE_TABLES.some((large) => large === table))).toEqual([])
  })
})
