import { parseEther, zeroAddress } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { deposit } from '../../../devnet/wallet/deposit.ts'
import type { poolState } from '../../../../schema/pool/account/model.ts'
import {
  listDeposits,
  precommitmentsFrom,
  startDepositWorld,
  type Depositor,
  type DepositWorld,
} from '../../transact/kinds/pool-deposit/start-deposit-world.ts'

let world: DepositWorld
let owner: Depositor

beforeAll(async () => {
  world = await startDepositWorld({
    devnet: { ports: [0, 0], asp: true, aspDelaySeconds: 0, chainIds: [31_337] },
  })
  owner = await world.openDepositor()
})
afterAll(() => world?.stop())

/** A deposit that no intent makes, as wallets of others make them. */
async function depositPlainly(gross: bigint): Promise<void> {
  const { payer, native } = world
  const wallet = connectWallet(payer.chain, generatePrivateKey())
  await payer.payNative(wallet.account.address, gross + parseEther('0.1'))
  await deposit(wallet, { entrypoint: payer.chain.entrypoint, asset: native.asset, pool: native.pool, gross })
}

async function convert(depositIndex: number, amount: bigint): Promise<void> {
  await owner.receiveAll(zeroAddress, [amount + parseEther('0.1')])
  const precommitments = precommitmentsFrom(depositIndex)
  const quote = await owner.demand({ amount: String(amount), precommitments })
  expect((await owner.submit(quote)).status).toBe(200)
  await expect.poll(() => world.statusOf(owner, quote.quoteId), { timeout: 60_000 }).toBe('confirmed')
}

async function readState(): Promise<z.input<typeof poolState>> {
  const { chainId } = world.payer.chain
  const { status, body } = await owner.get(`/pool/state?chainId=${chainId}&token=${zeroAddress}`)
  return status === 200 ? body : ({ aspLeaves: [] } as never)
}

test('the crowd counts deposits by accounts of the service, and none that strangers make otherwise', async () => {
  await depositPlainly(parseEther('3'))
  await depositPlainly(parseEther('0.3'))
  await convert(0, parseEther('0.3'))
  await convert(1, parseEther('2'))
  expect(await listDeposits(world, world.native)).toHaveLength(4)
  await expect.poll(async () => (await readState()).aspLeaves.length, { timeout: 60_000 }).toBe(4)
  expect((await readState()).crowd).toEqual([
    { atLeast: String(parseEther('0.2')), deposits: 2 },
    { atLeast: String(parseEther('0.5')), deposits: 1 },
    { atLeast: String(parseEther('1')), deposits: 1 },
    { atLeast: String(parseEther('2')), deposits: 1 },
  ])
  const { body: quote } = await owner.ask({
    type: 'incognito_send',
    amount: String(parseEther('0.25')),
    destinationAddress: '0x00000000000000000000000000000000000A11cE',
    precommitments: undefined,
  })
  expect(quote).toMatchObject({
    crowd: 2,
    privacyCaveats: expect.arrayContaining([{ kind: 'soon' }, { kind: 'small_crowd' }]),
  })
})
