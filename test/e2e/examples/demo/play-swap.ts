import { parseEther, parseUnits, zeroAddress } from 'viem'
import { openNewClient } from '../../../../schema/client/account/open-client.ts'
import { checkSwap } from '../../../../schema/client/quotes/check-swap.ts'
import { refreshQuote, signAndSubmit } from '../../../../schema/client/quotes/send.ts'
import {
  askSwap,
  previewSwap,
  type SwapOptions,
  type SwapQuote,
} from '../../../../schema/client/quotes/swap.ts'
import { readBalances, waitUntilEqual } from './compare-balances.ts'
import { DemoError } from './demo-error.ts'
import { formatMoney } from './format-money.ts'
import { openPayer } from './open-payer.ts'
import type { DemoWorld } from './open-world.ts'

const ETHER = { symbol: 'ETH', decimals: 18 }

/** An account that was paid dollars, and never had gas, swaps them for native coins at a fresh address. */
export async function playSwap({ url, domain, chain, chains, keys, terminal }: DemoWorld): Promise<void> {
  terminal.heading('Swap', 'dollars for native coins through pools, by one signature and without gas')
  const payer = openPayer(chain, keys.payer)
  const { chainId, wrappedNative: wrapped, uniswap } = chain
  const dollar = chain.tokens.find(({ decimals }) => decimals === 6)
  if (!dollar) throw new DemoError('The devnet lacks a token of 6 decimals')
  const usd = (amount: string) => parseUnits(amount, dollar.decimals)
  const asked: SwapOptions = {
    chainId,
    tokenIn: dollar.address,
    tokenOut: zeroAddress,
    amountIn: usd('900'),
    leastOutput: parseEther('0.28'),
    maxFee: usd('2'),
    contracts: { wrapped, router: uniswap.router },
  }

  const client = await terminal.step('A signs in and creates an account', () =>
    openNewClient({ url, domain, chains }),
  )
  const { address } = await client.receive()
  const { rateOnly, expectedOutput } = await terminal.step('A asks what 900 dollars would give', () =>
    previewSwap(client, asked),
  )
  terminal.detail(
    'price',
    `${formatMoney(BigInt(expectedOutput), ETHER)}${rateOnly ? ', for whoever has them' : ''}`,
  )
  await terminal.step(`somebody pays A ${formatMoney(usd('1000'), dollar)}`, async () => {
    await payer.payToken(dollar.address, address, usd('1000'))
    await waitUntilEqual(client, { chainId, reader: payer.reader }, [dollar.address])
  })

  const old = await terminal.step('A asks for a quote, which reserves the funds', () =>
    askSwap(client, asked),
  )
  const quote = await terminal.step('prices move: A refreshes it, to the same fresh address', () =>
    refreshQuote(client, old),
  )
  if (quote.outputRecipient !== old.outputRecipient || quote.planId !== old.planId)
    throw new DemoError('The refreshed quote is of another swap: please report this')
  showQuote(quote, dollar, terminal)
  const approved = await terminal.step('A decodes every call: amounts, minimum, recipient, approvals', () =>
    checkSwap(client, quote, asked),
  )
  terminal.detail('transaction', await signAndSubmit(client, approved, terminal.step))

  const got = await payer.reader.getBalance({ address: quote.outputRecipient })
  terminal.detail('received', `${formatMoney(got, ETHER)} at ${quote.outputRecipient}`)
  if (got < BigInt(quote.minimumOutput))
    throw new DemoError('That is less than the minimum: please report this')
  await terminal.step('the balances are the chain’s, to the wei', () =>
    waitUntilEqual(client, { chainId, reader: payer.reader }, [zeroAddress, dollar.address]),
  )
  const left = (await readBalances(client, chainId)).find(
    ({ tokenAddress }) => tokenAddress === dollar.address,
  )
  terminal.detail('A keeps', formatMoney(BigInt(left?.available ?? 0), dollar))
  terminal.note('The router may take nothing more: the approval was of exactly what was swapped.')
}

const CAVEATS: Readonly<Record<string, string>> = {
  output_linked: 'the transaction shows that the output’s address belongs to the one that pays',
  approval_replaced: 'an approval that the address had given is taken back',
  attribution: 'the calls carry a mark of this service',
}

function showQuote(
  quote: SwapQuote,
  paidIn: { decimals: number; symbol: string },
  terminal: DemoWorld['terminal'],
): void {
  const { priceImpact, slippageBps, fees, fundingCaveats } = quote
  const least = formatMoney(BigInt(quote.minimumOutput), ETHER)
  terminal.detail('route', quote.routing)
  terminal.detail('expected', formatMoney(BigInt(quote.expectedOutput), ETHER))
  terminal.detail('at least', `${least} (slippage ${slippageBps / 100} %)`)
  terminal.detail('price impact', priceImpact === null ? 'unknown' : `${priceImpact} %`)
  terminal.detail('fees', formatMoney(BigInt(fees.total), paidIn))
  for (const { kind } of fundingCaveats) terminal.detail('beware', CAVEATS[kind] ?? kind)
}
