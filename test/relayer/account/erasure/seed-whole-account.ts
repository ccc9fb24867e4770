import { randomBytes, randomUUID } from 'node:crypto'
import type { CommonQueryMethods } from 'slonik'
import { bytesToHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { saveContactEmail } from '../../../../db/account/profile/contact-emails.ts'
import { sql } from '../../../../db/connect-database.ts'
import { replaceBook } from '../../../../db/pool/book/pool-books.ts'
import { saveSpend } from '../../../../db/pool/book/pool-spends.ts'
import { insertConversions } from '../../../../db/pool/notes/pool-conversions.ts'
import { insertCashPayee } from '../../../../db/transact/cash-payees.ts'
import { insertCashWithdrawal } from '../../../../db/transact/cash-withdrawals.ts'
import { insertRecovery } from '../../../../db/transact/pool-recoveries.ts'
import { writeSkip } from '../../../../db/account/deposit-review/review-marks.ts'
import { recordDeposits } from '../../../../db/account/collectible/collectible-deposits.ts'
import { insertWithdrawals } from '../../../../db/transact/collectible-withdrawals.ts'
import { insertBridgeOrder } from '../../../../db/transact/bridge-orders.ts'
import { insertCashOrder } from '../../../../db/transact/cash-orders.ts'
import {
  type Vault,
  bookOwner,
  cashPayeeOwner,
  contactEmailOwner,
} from '../../../../relayer/identity/vault.ts'
import { encodeBook, type ToldSpend } from '../../../../relayer/pool/book/book-content.ts'
import { sealSpend } from '../../../../relayer/pool/book/spend-record.ts'
import { seedAccount } from '../seed-account.ts'
import { seedQuote } from '../seed-quote.ts'

export interface SeededAccount {
  accountId: string
  /** The spending key's address and the one-time ones. */
  addresses: string[]
}

const hash = () => bytesToHex(randomBytes(32))
const someone = () => privateKeyToAddress(generatePrivateKey())
let blocks = 1

const seedSpend = (): ToldSpend => ({
  id: randomUUID(),
  kind: 'incognito_send',
  receives: 12_345_678_901_234_567_890n,
  fee: 2n,
  until: Date.UTC(2026, 0, 1),
  isUnlocked: false,
  parts: [
    {
      label: 7n,
      withdrawalIndex: 0,
      value: 9n,
      withdraws: 8n,
      spentBy: { nullifierHash: 5n, newCommitment: 6n },
    },
  ],
})

/**
 * An account with a row in every table of accounts. The erasure test writes sample rows into tables that are
 * missing here, which suffices unless a table has rules of its own.
 *
 * @param payee Address of another account, which it paid.
 */
export async function seedWholeAccount(
  connection: CommonQueryMethods,
  vault: Vault,
  payee: string = someone(),
): Promise<SeededAccount> {
  const { accountId, spender } = await seedAccount(connection)
  const [one, two] = [someone(), someone()]
  const [txHash, blockHash, sharedTx] = [hash(), hash(), hash()]
  const quoteId = await seedQuote(connection, accountId)
  const label = (blocks += 1)
  const bytes = sql.binary(randomBytes(32))
  const run = (statement: Parameters<CommonQueryMethods['query']>[0]) => connection.query(statement)
  const insert = sql.typeAlias('void')

  await run(insert`insert into stealth_address (address, account_id, derivation_nonce, generation_context) values
    (${one}, ${accountId}, 0, 'external'), (${two}, ${accountId}, 1, 'fund-movement')`)
  await run(
    insert`insert into siwe_nonce values (${hash()}, ${spender.address}, now() + interval '5 minutes')`,
  )
  await run(insert`insert into api_key (id, secret_hash, account_id, label, scopes)
    values (${randomUUID()}, ${bytes}, ${accountId}, 'server', array['read'])`)
  await run(insert`insert into oauth_code (code_hash, account_id, client_id, redirect_uri, code_challenge,
      key_access_method, expires_at)
    values (${bytes}, ${accountId}, 'extension', 'https://x.example', 'challenge', 'passkey_prf', now())`)
  const email = await vault.seal(contactEmailOwner(accountId), Buffer.from(`${accountId}@example.org`))
  await saveContactEmail(connection, accountId, email)
  await run(insert`insert into dismissed_prompt values (${accountId}, 'backup')`)
  await run(insert`insert into dapp_use values (${accountId}, ${one}, 'https://app.example')`)
  await run(insert`insert into dapp_call (quote_id, account_id, origin, description, calls)
    values (${quoteId}, ${accountId}, 'https://app.example', 'Pay', '[]')`)
  await run(insert`insert into idempotency_key values (${accountId}, 'paymentAddress', ${bytes}, ${bytes},
    ${randomUUID()}, now(), ${JSON.stringify({ address: one })}, now())`)
  await run(insert`insert into account_token (account_id, chain_id, address)
    values (${accountId}, 1, ${someone()})`)
  await run(insert`insert into account_feature values (${accountId}, 'beta')`)
  await run(insert`insert into fee_waiver (account_id, source) values (${accountId}, 'collectible')`)
  await run(insert`insert into address_book (account_id) values (${accountId})`)
  await run(insert`insert into contact (account_id, address, name, signed_at)
    values (${accountId}, ${payee}, 'Friend', now())`)
  await run(insert`insert into activity_note (account_id, reference_type, quote_id, ciphertext)
    values (${accountId}, 'quote', ${quoteId}, 'eA==')`)
  await run(
    insert`insert into address_tag (account_id, address, ciphertext, label_key)
      values (${accountId}, ${one}, 'eA==', ${`the-key-of-label-${label}`})`,
  )
  await run(insert`insert into subdomain (name, account_id) values (${`name-${label}`}, ${accountId})`)
  await run(insert`insert into subdomain_reservation (name, invite_code_hash, account_id)
    values (${`kept-${label}`}, ${bytes}, ${accountId})`)

  await run(insert`insert into transfer (chain_id, block_hash, source, position, block_number, block_time, tx_hash,
      standard, token, from_address, to_address, amount) values
    (1, ${blockHash}, 'log', 0, ${label}, now(), ${txHash}, 'erc20', ${someone()}, ${someone()}, ${one}, 5),
    (1, ${blockHash}, 'log', 1, ${label}, now(), ${sharedTx}, 'erc20', ${someone()}, ${two}, ${payee}, 7)`)
  for (const [position, tx, from, to] of [
    [0, txHash, someone(), one],
    [1, sharedTx, two, payee],
  ] as const)
    await run(insert`insert into indexed_tx (chain_id, tx_hash, block_hash, block_number, block_time, tx_index,
        from_address, to_address, tx_nonce, value, succeeded, gas_used, fee)
      values (1, ${tx}, ${blockHash}, ${label}, now(), ${position}, ${from}, ${to}, 0, 0, true, 21000, 1)`)
  await run(insert`insert into address_tx (address, chain_id, tx_hash, block_number, block_time, tx_index) values
    (${one}, 1, ${txHash}, ${label}, now(), 0), (${two}, 1, ${sharedTx}, ${label}, now(), 1)`)
  await run(insert`insert into address_tx (address, chain_id, tx_hash, block_number, block_time, tx_index)
    select address, 1, ${sharedTx}, ${label}, now(), 1 from stealth_address where address = ${payee}`)
  await run(insert`insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind,
      contract, account, label)
    values (1, ${blockHash}, 2, ${label}, now(), ${txHash}, 'deposit', 'pool', ${one}, ${label})`)
  await run(
    insert`insert into asp_review (chain_id, pool, label, status) values (1, 'pool', ${label}, 'approved')`,
  )
  await run(insert`insert into intent_event values (1, ${blockHash}, 3, ${label}, now(), ${txHash}, ${someone()},
    ${two}, 1, true, '0x00000000')`)
  await run(insert`insert into bridge_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind,
      address, token, amount, is_deferred)
    values (1, ${blockHash}, 4, ${label}, now(), ${txHash}, 'refund', ${one}, ${someone()}, 5, false)`)
  await run(insert`insert into holding (chain_id, address, standard, token, amount, stale)
    values (1, ${one}, 'native', ${someone()}, 12345678901234567890, true)`)
  await run(insert`insert into locked_funds values (1, ${one}, ${someone()}, 1, 2)`)
  await run(insert`insert into watched_address (chain_id, address, live_from) values (1, ${one}, 1)`)

  await run(insert`insert into reservation (quote_id, chain_id, address, token, amount)
    values (${quoteId}, 1, ${one}, ${someone()}, 5)`)
  const batchId = randomUUID()
  await run(
    insert`insert into intent_batch (id, chain_id, outbound_id) values (${batchId}, 1, ${randomUUID()})`,
  )
  await run(insert`insert into intent_batch_share values (${batchId}, ${accountId}, ${quoteId})`)
  await run(insert`insert into intent (id, quote_id, account_id, place, chain_id, eoa, intent_nonce, combined_gas,
      transaction_gas, status, batch_id, expires_at, from_block, ended_at)
    values (${randomUUID()}, ${quoteId}, ${accountId}, 0, 1, ${one}, ${label}, 1, 1, 'succeeded', ${batchId}, now(), 1,
      now())`)
  const pool = { chainId: 1, address: someone() }
  await insertConversions(connection, { quoteId, accountId, pool }, [
    { place: 0, address: one, depositIndex: 0, precommitment: 1n, gross: 10n, net: 9n, depositFee: 0n },
  ])
  const spend = seedSpend()
  const content = { spends: [spend], settled: [{ label: 8n, withdrawalIndex: 2, value: 3n }] }
  const book = await vault.seal(bookOwner(`${accountId}:1:${pool.address}`), encodeBook(content))
  await replaceBook(connection, { accountId, chainId: 1, pool: pool.address }, null, book)
  await saveSpend(connection, accountId, await sealSpend(vault, accountId, pool, spend))
  await insertCashPayee(
    connection,
    { quoteId, accountId },
    {
      ...(await vault.seal(cashPayeeOwner(accountId), Buffer.from(`handle-of-${accountId}`))),
      toldCashOuts: 0,
    },
  )
  await insertCashWithdrawal(
    connection,
    { quoteId, accountId },
    { chainId: 1, escrow: someone(), depositId: BigInt(label) },
  )
  const key = { chainId: 1, pool: pool.address, label: BigInt(label) }
  await insertRecovery(connection, { quoteId, accountId }, key)
  await insertWithdrawals(connection, { quoteId, accountId }, [
    { chainId: 1, contract: someone(), tokenId: BigInt(label) },
  ])
  await recordDeposits(connection, accountId, [
    { chainId: 1, contract: someone(), tokenId: BigInt(label), address: one },
  ])
  await writeSkip(connection, accountId, {
    address: one,
    lastReceivedAt: new Date(0),
    rawReceiveCount: 1,
    lastBlocks: new Map([[1, 7n]]),
  })
  await connection.query(sql.typeAlias('void')`
    insert into review_seen (account_id, chain_id, seen_block, seen_at) values (${accountId}, 1, 1, now())`)
  await insertCashOrder(connection, {
    quoteId,
    accountId,
    originChainId: 1,
    sourceToken: someone(),
    sourceAmount: 5n,
    fromIncognito: false,
    chainId: 1,
    escrow: someone(),
    orchestrator: someone(),
    depositor: one,
    token: someone(),
    amount: 5n,
    paymentMethod: 'venmo',
    currency: 'USD',
    payeeDetails: blockHash,
    minRate: 1n,
    rate: 1n,
    depositKey: blockHash,
  })
  await insertBridgeOrder(connection, {
    quoteId,
    accountId,
    deposit: {
      provider: 'across',
      originChainId: 1,
      destinationChainId: 2,
      depositor: one,
      recipient: two,
      exclusiveRelayer: someone(),
      inputToken: someone(),
      outputToken: someone(),
      inputAmount: 5n,
      outputAmount: 4n,
      quoteTimestamp: 1,
      fillDeadline: 2,
      exclusivityDeadline: 0,
      message: '0x',
    },
    outputRecipient: two,
    outputToken: someone(),
    expectedOutput: 4n,
    minimumOutput: 4n,
    sourceToken: someone(),
    sourceAmount: 5n,
    estimatedFillMs: null,
  })
  return { accountId, addresses: [spender.address, one, two] }
}

/** The first referred the second and earned by it. */
export async function seedReferral(
  connection: CommonQueryMethods,
  referrer: string,
  referred: string,
): Promise<void> {
  const insert = sql.typeAlias('void')
  const id = randomUUID()
  await connection.query(insert`insert into referral_profile (account_id, code)
    values (${referrer}, ${id.slice(0, 10)}) on conflict do nothing`)
  await connection.query(insert`insert into referral_attribution (id, account_id, referrer_account_id,
      referrer_share_bps, referred_discount_bps, minimum_reward_usd_cents, earning_starts_at, earning_ends_at)
    values (${id}, ${referred}, ${referrer}, 1, 1, 0, now(), now())`)
  await connection.query(insert`insert into referral_earning (quote_id, attribution_id, chain_id, token, service_fee,
      referrer_share, referrer_share_usd_micros)
    values (${randomUUID()}, ${id}, 1, 'T', 10, 5, 1000000)`)
}
