import { getAddress, parseEther, zeroAddress } from 'viem'
import { openNewClient } from '../../../../schema/client/account/open-client.ts'
import { convert } from '../../../../schema/client/pool/convert.ts'
import { createPoolView } from '../../../../schema/client/pool/pool-state.ts'
import { readPool } from '../../../../schema/client/pool/read-pool.ts'
import {
  markSeen,
  readReview,
  skip,
  waitForItem,
  type ReviewItem,
} from '../../../../schema/client/account/review-receipts.ts'
import { waitUntilEqual } from './compare-balances.ts'
import { DemoError } from './demo-error.ts'
import { formatMoney } from './format-money.ts'
import { openPayer } from './open-payer.ts'
import type { DemoWorld } from './open-world.ts'

const ETHER = { symbol: 'ETH', decimals: 18 }

/** A receipt waits for a decision: it is skipped, comes back with the next receipt, and is converted. */
export async function playReview({ url, domain, chain, chains, keys, terminal }: DemoWorld): Promise<void> {
  terminal.heading('Review', 'what came in waits until its owner converts it, skips it or sends it on')
  const payer = openPayer(chain, keys.payer)
  const client = await terminal.step('A signs in and creates an account', () =>
    openNewClient({ url, domain, chains }),
  )
  const address = getAddress((await client.receive()).address)
  const pay = (amount: bigint) =>
    terminal.step(`somebody pays A ${formatMoney(amount, ETHER)}`, async () => {
      await payer.payNative(address, amount)
      await waitUntilEqual(client, { ...chain, reader: payer.reader }, [zeroAddress])
    })
  const show = async (): Promise<ReviewItem> => {
    const { items, counts, unseenNeedsReview } = await readReview(client)
    const [item] = items
    if (!item) throw new DemoError('The review is empty: please report this')
    const groups = Object.entries(counts).filter(([, count]) => count > 0)
    terminal.detail('review', groups.map(([group, count]) => `${count} ${NAMES[group] ?? group}`).join(', '))
    if (unseenNeedsReview > 0) terminal.detail('not seen yet', String(unseenNeedsReview))
    return item
  }

  await pay(parseEther('1'))
  const first = await show()
  showItem(first, terminal)
  await terminal.step('A has seen it, and skips it', async () => {
    await markSeen(client)
    await skip(client, first)
  })
  await show()
  await pay(1n)
  await show()
  terminal.detail('dust', 'is counted, and brings nothing back')
  await pay(parseEther('0.5'))
  showItem(await show(), terminal)

  const pool = await readPool(payer.reader, { ...chain, token: zeroAddress })
  const view = createPoolView(client, pool, payer.reader)
  const { quote } = await convert(client, {
    view,
    amount: null,
    maxFee: parseEther('0.1'),
    spendableAddresses: [address],
    step: terminal.step,
  })
  terminal.detail('fees', formatMoney(BigInt(quote.fees.total), ETHER))
  await terminal.step('wait until the review knows of the deposit', () =>
    waitForItem(client, address, ({ assets }) => assets[0]?.poolDeposit?.status !== 'submitted'),
  )
  await show()
  const done = await terminal.step('wait until the association set provider approves it', () =>
    waitForItem(client, address, ({ reviewStatus }) => reviewStatus === 'done'),
  )
  await show()
  showItem(done, terminal)
  terminal.note('The service proposes, and the wallet decides: nothing is converted without a signature.')
}

const NAMES: Readonly<Record<string, string>> = {
  needsReview: 'needs review',
  inProgress: 'in progress',
}
const REASONS: Readonly<Record<string, string>> = {
  new_funds: 'new funds',
  deposit_declined: 'its deposit was declined',
  deposit_failed: 'its conversion failed',
  recovered: 'taken back from a pool',
}

function showItem(
  { address, assets, statusReason, provenanceSources }: ReviewItem,
  terminal: DemoWorld['terminal'],
): void {
  for (const { amount, convertUnavailableReason, poolDeposit, ...token } of assets) {
    const money = { symbol: token.tokenSymbol, decimals: token.decimals }
    terminal.detail('at', `${address}: ${formatMoney(BigInt(amount), money)}`)
    if (statusReason) terminal.detail('because', REASONS[statusReason] ?? statusReason)
    if (statusReason) terminal.detail('to convert', convertUnavailableReason ?? 'now')
    if (poolDeposit)
      terminal.detail('note', `${formatMoney(BigInt(poolDeposit.amount), money)}, ${poolDeposit.status}`)
  }
  for (const { kind } of provenanceSources)
    terminal.detail('came from', kind === 'private' ? 'a pool' : 'somebody in the open')
}
