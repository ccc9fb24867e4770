import { parseEther, parseUnits } from 'viem'
import {
  askCashOut,
  followCashOut,
  previewCashOut,
  withdrawCashOut,
  type CashOutOptions,
  type CashOutState,
} from '../../../../schema/client/quotes/cash-out.ts'
import { checkCashOut } from '../../../../schema/client/quotes/check-cash-out.ts'
import { openNewClient } from '../../../../schema/client/account/open-client.ts'
import { signAndSubmit } from '../../../../schema/client/quotes/send.ts'
import { openBuyers } from './buyers.ts'
import { waitUntilEqual } from './compare-balances.ts'
import { DemoError } from './demo-error.ts'
import { formatMoney } from './format-money.ts'
import { openPayer } from './open-payer.ts'
import type { DemoWorld } from './open-world.ts'

/** An account sells dollars for money on a payment app: a buyer takes a part, and the rest comes back. */
export async function playCash({
  url,
  domain,
  chain,
  chains,
  cash,
  keys,
  terminal,
}: DemoWorld): Promise<void> {
  if (!cash) return terminal.note('Nobody buys on the devnet: cash-outs are left out.')
  terminal.heading('Cash-out', 'dollars for money on a payment app, and what nobody buys comes back')
  const buyers = openBuyers(cash)
  const payer = openPayer(chain, keys.payer)
  const dollar = chain.tokens.find(({ decimals }) => decimals === 6)
  if (!dollar) throw new DemoError('The devnet lacks a token of 6 decimals')
  const usd = (amount: string) => parseUnits(amount, dollar.decimals)
  const money = (amount: bigint) => formatMoney(amount, dollar)
  const { escrow, rates: feed } = chain.cash
  const asked: CashOutOptions = {
    chainId: chain.chainId,
    token: dollar.address,
    amount: usd('100'),
    paymentMethod: 'venmo',
    currency: 'USD',
    payee: 'alice-of-the-demo',
    leastRate: parseEther('0.95'),
    maxFee: usd('4'),
    venue: { escrow, gatingService: cash.gatingService, feed },
  }

  const client = await terminal.step('A signs in and asks what 100 dollars would bring', () =>
    openNewClient({ url, domain, chains }),
  )
  const preview = await previewCashOut(client, asked)
  for (const { paymentMethod, currencies } of preview.methods)
    terminal.detail(
      paymentMethod,
      currencies.map(({ currency, conversionRate }) => `${conversionRate} ${currency}`).join(', '),
    )
  terminal.detail('would bring', `${preview.estimatedFiatAmount}, at least ${preview.minimumFiatAmount}`)
  const { address } = await client.receive()
  await terminal.step(`somebody pays A ${money(usd('150'))}`, async () => {
    await payer.payToken(dollar.address, address, usd('150'))
    await waitUntilEqual(client, { ...chain, reader: payer.reader }, [dollar.address])
  })

  await buyers.tell('hold')
  try {
    const quote = await terminal.step(`A asks to sell ${money(asked.amount)}, paid to ${asked.payee}`, () =>
      askCashOut(client, asked),
    )
    const approved = await terminal.step(
      'A decodes the deposit: amount, payee, least rate, who may take it back',
      () => checkCashOut(client, quote, asked),
    )
    terminal.detail('fees', money(BigInt(quote.fees.total)))
    terminal.detail('in public', `payee ${quote.payeeDetails}`)
    terminal.detail('deposited by', await signAndSubmit(client, approved, terminal.step))
    const listed = await terminal.step('the escrow offers it to buyers', (show) =>
      followCashOut(client, quote, { until: ['listed'], show }),
    )
    const peerDepositId = listed.peerDepositId ?? ''
    const depositId = peerDepositId.split('_').at(-1) ?? ''
    const held = await terminal.step(`a buyer takes ${money(usd('60'))}`, async (show) => {
      const hash = await buyers.take(chain.chainId, depositId, usd('60'))
      showState(await followCashOut(client, quote, { until: ['matched'], show }))
      return hash
    })
    await terminal.step('the buyer pays outside, and proves it', async (show) => {
      await buyers.prove(chain.chainId, held)
      showState(await followCashOut(client, quote, { until: ['partially_filled'], show }))
    })
    const { quote: back } = await withdrawCashOut(client, {
      chainId: chain.chainId,
      depositId: peerDepositId,
      token: dollar.address,
      maxFee: usd('4'),
      venue: { escrow },
      step: terminal.step,
    })
    const ended = await terminal.step('the cash-out has ended', (show) =>
      followCashOut(client, quote, { until: ['completed', 'returned'], show }),
    )
    showState(ended)
    await waitUntilEqual(client, { ...chain, reader: payer.reader }, [dollar.address])
    const has = await payer.readToken(dollar.address, address)
    const fees = BigInt(quote.fees.total) + BigInt(back.fees.total)
    terminal.detail(
      'A has',
      `${money(has)} = ${money(usd('150'))} − ${money(usd('60'))} sold − ${money(fees)} fees`,
    )
    if (has !== usd('90') - fees) throw new DemoError('The sums are wrong: please report this')
    terminal.note('The handle is erased by now: the service kept it sealed until the cash-out had ended.')
  } finally {
    await buyers.tell('release')
  }

  function showState({ filled, outstanding, remaining, progress }: CashOutState): void {
    const parts = `sold ${money(BigInt(filled))}, held ${money(BigInt(outstanding))}, offered ${money(BigInt(remaining))}`
    terminal.detail('state', `${parts} (${Math.round(progress * 100)} %)`)
  }
}
