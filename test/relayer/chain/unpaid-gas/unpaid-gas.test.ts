import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { purgeUnpaidGas } from '../../../../db/chain/unpaid-gas/gas-budget.ts'
import { get, runConcurrently, untilFinal } from '../../../harness/relay-requests.ts'
import type { Mode } from './create-burners.ts'
import { startAttackWorld, type AttackWorld } from './start-attack-world.ts'

/** Relays have half of it. */
const BUDGET = 4_000_000
let world: AttackWorld
/** Each test relays notes of its own. */
let next = 0

beforeAll(async () => {
  world = await startAttackWorld({ unpaidGasPerHour: BUDGET }, 60_000)
})
beforeEach(() => world.pool.query(sql.typeAlias('void')`delete from gas_lost`))
afterAll(() => world?.stop())

const recipientOf = (index: number) => world.vectors.relays[index]!.recipient
const verified = async () => (await world.service.services.withdrawals.overview()).proving.verified
const end = (requestId: unknown) => untilFinal(world.service.url, requestId as string)

/** Relays a note to a burner that strikes once it is simulated, and waits until that has failed. */
async function failOnce(index: number, argument = 1) {
  await world.arm(recipientOf(index), 'flag')
  const body = await world.betweenBlocks(async () => {
    const answer = await world.relay(index)
    expect(answer.body).toMatchObject({ success: true })
    await world.setArgument(recipientOf(index), argument)
    return answer.body
  })
  expect(await end(body['requestId'])).toMatchObject({ status: 'failed' })
  await world.setArgument(recipientOf(index), 0)
  return body['txHash'] as `0x${string}`
}

it('a recipient with code gets little more gas than was simulated, and less than the fee pays for', async () => {
  const index = next++
  const hash = await failOnce(index)
  const { gas } = await world.client.getTransaction({ hash })
  const { gasUsed } = await world.client.getTransactionReceipt({ hash })
  expect(gasUsed).toBeLessThanOrEqual(gas)
  await world.pool.query(sql.typeAlias('void')`delete from relay_revert`)
  const { body } = await world.relay(index)
  const { txHash } = await end(body['requestId'])
  const honest = await world.client.getTransactionReceipt({ hash: txHash as `0x${string}` })
  expect(honest.status).toBe('success')
  // Four one-bits of the leaf's index and sixteen roots.
  expect(gas - honest.gasUsed).toBeLessThanOrEqual(4n * 16_000n + 16n * 2_500n)
})

it('a recipient that uses more gas than the fee pays for is refused with both numbers', async () => {
  const index = next++
  await world.arm(recipientOf(index), 'greedy', 400)
  expect((await world.relay(index)).body['error']).toMatch(
    /^SIMULATION_FAILED: .*used \d{6,} gas to pay a contract, the fee pays for \d{6}/,
  )
  // More than the first simulation has.
  await world.arm(recipientOf(index), 'greedy', 10_000)
  expect((await world.relay(index)).body['error']).toMatch(
    /^SIMULATION_FAILED: .*a contract, with \d{6,} gas; the fee pays for \d{6}/,
  )
  await world.arm(recipientOf(index), 'greedy', 20)
  const { body } = await world.relay(index)
  expect(await end(body['requestId'])).toMatchObject({ status: 'confirmed' })
})

it('a reverted note and recipient wait longer each time before they are verified again', async () => {
  const index = next++
  const waits: number[] = []
  for (const turn of [1, 2]) {
    await failOnce(index, turn)
    const before = await verified()
    const { body } = await world.relay(index)
    expect(body).toMatchObject({ success: false, error: expect.stringMatching(/^TRANSACTION_ERROR: /) })
    expect(await verified()).toBe(before)
    waits.push(Number(/before (\d+) s/.exec(body['error'] as string)![1]))
    await world.pool.query(sql.typeAlias('void')`
      update relay_revert set failed_at = failed_at - interval '10 minutes'`)
  }
  expect(waits[0]).toBeGreaterThan(40)
  expect(waits[0]).toBeLessThanOrEqual(60)
  expect(waits[1]! - waits[0]!).toBeGreaterThan(40)
  // The same note to another recipient: only the note's owner can spend it.
  await world.pool.query(sql.typeAlias('void')`
    insert into relay_revert (chain_id, pool, nullifier_hash, recipient)
    select chain_id, pool, nullifier_hash, '\x01' from relay_revert`)
  expect((await world.relay(index)).body['error']).toMatch(/relays of this note reverted, for any recipient/)
  await world.pool.query(sql.typeAlias('void')`delete from relay_revert`)
  expect(await end((await world.relay(index)).body['requestId'])).toMatchObject({ status: 'confirmed' })
})

it('a recipient alone waits after three distinct unspent notes, and its address is not stored', async () => {
  const index = next++
  await failOnce(index)
  const kept = await world.pool.anyFirst(sql.type(z.object({ row: z.string() }))`
    select relay_revert::text as row from relay_revert`)
  expect(kept).toHaveLength(1)
  expect(kept.join().toLowerCase()).not.toContain(recipientOf(index).toLowerCase().slice(2))
  const failElsewhere = (nullifierHash: bigint) =>
    world.pool.query(sql.typeAlias('void')`
      insert into relay_revert (chain_id, pool, nullifier_hash, recipient)
      select chain_id, pool, ${nullifierHash}::numeric, recipient from relay_revert limit 1`)
  // One of these notes is spent: the first test withdrew it.
  await failElsewhere(BigInt(world.vectors.relays[0]!.publicSignals[1]!))
  await failElsewhere(2n)
  await world.pool.query(sql.typeAlias('void')`
    update relay_revert set failed_at = now() - interval '2 minutes' where nullifier_hash > 2
      and nullifier_hash <> ${BigInt(world.vectors.relays[0]!.publicSignals[1]!)}::numeric`)
  await failElsewhere(3n)
  expect((await world.relay(index)).body['error']).toMatch(/relays of several notes to this recipient/)
  const left = await world.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int4 as count from relay_revert`)
  expect(left).toBe(3)
  await world.pool.query(sql.typeAlias('void')`delete from relay_revert where nullifier_hash = 3`)
  expect(await end((await world.relay(index)).body['requestId'])).toMatchObject({ status: 'confirmed' })
})

it('relays to contracts, and failed relays, do not change quotes', async () => {
  const asset = world.chain.relayer!.assets[0]!.asset
  const quote = async () =>
    (
      await world.service.services.withdrawals.quote({
        chainId: world.chain.chainId,
        amount: 10n ** 18n,
        asset,
        recipient: recipientOf(60),
        extraGas: false,
      })
    ).detail.relayTxCost.gas
  const plain = next++
  await end((await world.relay(plain)).body['requestId'])
  await expect.poll(quote).toBeLessThan(560_000n)
  const before = await quote()
  const greedy = next++
  await world.arm(recipientOf(greedy), 'greedy', 30)
  expect(await end((await world.relay(greedy)).body['requestId'])).toMatchObject({ status: 'confirmed' })
  await failOnce(next++)
  const later = next++
  await end((await world.relay(later)).body['requestId'])
  await expect
    .poll(() =>
      world.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
        select count(*)::int4 as count from relay_ledger where to_contract`),
    )
    .toBeGreaterThan(2)
  // A leaf that deepens the pool's tree writes one slot more: 22,100 gas.
  expect((await quote()) - before).toBeLessThan(45_000n)
})

it('when the budget is used up contracts are refused with a wait, and plain addresses are served', async () => {
  await world.pool.query(sql.typeAlias('void')`
    insert into gas_lost (chain_id, share, gas, lost_at)
    values (${world.chain.chainId}, 'relay', ${BUDGET / 2 - 100_000}, now() - interval '50 minutes')`)
  const index = next++
  const mode: Mode = 'honest'
  await world.arm(recipientOf(index), mode)
  const response = await fetch(`${world.service.url}/relayer/request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await world.bodyOf(index)),
  })
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ code: 'GAS_BUDGET_USED_UP' })
  const seconds = Number(response.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(540)
  expect(seconds).toBeLessThanOrEqual(600)
  const plain = next++
  expect(await end((await world.relay(plain)).body['requestId'])).toMatchObject({ status: 'confirmed' })
  const metrics = await (await fetch(`${world.service.url}/metrics`)).text()
  expect(metrics).toMatch(/unpaid_gas_refused\{chain="31337",share="relay"\} [1-9]/)
  expect(metrics).toMatch(/unpaid_gas_budget\{chain="31337"\} 4000000/)
  await expect
    .poll(async () => (await fetch(world.service.url)).text())
    .toMatch(/unpaid gas, last hour <b>1.900.000<\/b> of 4.000.000/)
  expect((await get(world.service.url, '/health/ready')).status).toBe(200)
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  expect(await end((await world.relay(index)).body['requestId'])).toMatchObject({ status: 'confirmed' })
})

it('a recipient that gets code after the simulation is counted, which then limits such relays too', async () => {
  const index = next++
  const { body } = await world.betweenBlocks(async () => {
    const answer = await world.relay(index)
    await world.arm(recipientOf(index), 'flag', 1)
    return answer
  })
  expect(await end(body['requestId'])).toMatchObject({ status: 'failed' })
  const { gasUsed } = await world.client.getTransactionReceipt({ hash: body['txHash'] as `0x${string}` })
  expect(await world.booked()).toBe(gasUsed)
  expect((await world.relay(index)).body['error']).toMatch(/^TRANSACTION_ERROR: /)
  const { withdrawals } = world.service.services
  await expect
    .poll(async () => (await withdrawals.overview()).chains[0]!.unpaidGas?.lost.plain_relay)
    .toBe(gasUsed)
  await world.pool.query(sql.typeAlias('void')`
    insert into gas_lost (chain_id, share, gas) values (${world.chain.chainId}, 'plain_relay', ${(3 * BUDGET) / 2})`)
  expect(await world.relay(next)).toMatchObject({ status: 503, body: { code: 'GAS_BUDGET_USED_UP' } })
  await world.pool.query(sql.typeAlias('void')`delete from gas_lost`)
  expect(await end((await world.relay(next++)).body['requestId'])).toMatchObject({ status: 'confirmed' })
})

it('losses are booked to the unit of gas, and nothing stays at risk', async () => {
  await world.pool.query(sql.typeAlias('void')`delete from relay_revert`)
  const before = await world.lostOnChain()
  await failOnce(next++)
  const after = await world.lostOnChain()
  expect(after.hashes).toHaveLength(before.hashes.length + 1)
  expect(await world.booked()).toBe(after.gas - before.gas)
  expect(
    await world.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
      select count(*)::int4 as count from gas_at_risk`),
  ).toBe(0)
})

it('gas that a crash left at risk is released', async () => {
  await world.pool.query(sql.typeAlias('void')`
    insert into gas_at_risk (outbound_id, reference, chain_id, share, gas, created_at)
    values (gen_random_uuid(), gen_random_uuid(), ${world.chain.chainId}, 'relay', 1, now() - interval '2 minutes')`)
  await purgeUnpaidGas(world.pool)
  expect(await world.pool.exists(sql.typeAlias('void')`select from gas_at_risk`)).toBe(false)
})

it('a loss at one plain address does not stop payments to others', async () => {
  await world.pool.query(sql.typeAlias('void')`
    insert into gas_lost (chain_id, share, gas) values (${world.chain.chainId}, 'plain_relay', 1)`)
  const { withdrawals } = world.service.services
  await expect
    .poll(async () => (await withdrawals.overview()).chains[0]!.unpaidGas?.lost.plain_relay)
    .toBe(1n)
  // Their gas limits together exceed the bound of pending relays: those without room wait for the next block.
  const indices = Array.from({ length: 16 }, () => next++)
  const answers = await runConcurrently(indices, 16, (index) => world.relay(index))
  expect(answers.map(({ status, body }) => [status, body['success'], body['code']])).toEqual(
    indices.map(() => [200, true, undefined]),
  )
  const ends = await Promise.all(answers.map(({ body }) => end(body['requestId'])))
  expect(ends.map(({ status }) => status)).toEqual(indices.map(() => 'confirmed'))
})
