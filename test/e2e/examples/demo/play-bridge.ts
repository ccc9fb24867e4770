import { parseUnits, type PublicClient } from 'viem'
import { type Client, openNewClient } from '../../../../schema/client/account/open-client.ts'
import { checkSwap } from '../../../../schema/client/quotes/check-swap.ts'
import { signAndSubmit } from '../../../../schema/client/quotes/send.ts'
import type { Approved } from '../../../../schema/client/quotes/sign-orders.ts'
import {
  askSwap,
  followCrossing,
  type SwapOptions,
  type SwapQuote,
} from '../../../../schema/client/quotes/swap.ts'
import { readChain, waitUntilEqual } from './compare-balances.ts'
import { DemoError } from './demo-error.ts'
import { openFiller } from './filler.ts'
import { formatMoney } from './format-money.ts'
import { openPayer } from './open-payer.ts'
import type { DemoWorld } from './open-world.ts'

/** An account sends dollars to another chain; it gets them back if they are not delivered there. */
export async function playBridge({
  url,
  domain,
  chain,
  chains,
  bridge,
  keys,
  terminal,
}: DemoWorld): Promise<void> {
  if (!bridge)
    return terminal.note('The devnet has no second chain, or nobody who fills: the bridge is left out.')
  terminal.heading('Bridge', 'to another chain by one signature, and back where nobody delivers')
  const { chain: other } = bridge
  const filler = openFiller(bridge.fillerUrl)
  const [payer, remote] = [openPayer(chain, keys.payer), openPayer(other, keys.payer)]
  const dollar = chain.tokens.find(({ decimals }) => decimals === 6)
  const theirs = other.tokens.find(({ symbol }) => symbol === dollar?.symbol)
  if (!dollar || !theirs) throw new DemoError('The devnet lacks a token of 6 decimals')
  const usd = (amount: string) => parseUnits(amount, dollar.decimals)
  const money = (amount: bigint) => formatMoney(amount, dollar)
  const asked: SwapOptions = {
    chainId: chain.chainId,
    tokenIn: dollar.address,
    tokenOut: theirs.address,
    amountIn: usd('100'),
    leastOutput: usd('99'),
    maxFee: usd('2'),
    contracts: { wrapped: chain.wrappedNative, router: chain.uniswap.router },
  }

  const client = await terminal.step(`A signs in, and somebody pays it ${money(usd('300'))}`, async () => {
    const opened = await openNewClient({ url, domain, chains })
    await payer.payToken(dollar.address, (await opened.receive()).address, usd('300'))
    await waitUntilEqual(opened, { ...chain, reader: payer.reader }, [dollar.address])
    return opened
  })

  const { quote, approved } = await quoteAndCheck(client)
  showQuote(quote)
  terminal.detail('deposited by', await signAndSubmit(client, approved, terminal.step))
  const { destTxHash } = await terminal.step('a filler pays on the other chain', (show) =>
    followCrossing(client, quote, { show }),
  )
  terminal.detail('paid by', String(destTxHash))
  await terminal.step('the balances of both chains are what the service says, to the unit', async () => {
    await waitUntilEqual(client, { ...chain, reader: payer.reader }, [dollar.address])
    await waitUntilEqual(client, { ...other, reader: remote.reader }, [theirs.address])
  })
  const arrived = await readChain(client, remote.reader, theirs.address)
  terminal.detail('received', `${money(arrived)} on chain ${other.chainId} at ${quote.outputRecipient}`)
  if (arrived !== BigInt(quote.minimumOutput))
    throw new DemoError('That is not what was signed: please report this')

  await playRefund()

  /** A quote for the same, whose every call the client has decoded. */
  async function quoteAndCheck(client: Client): Promise<{ quote: SwapQuote; approved: Approved }> {
    const crossing = { ...listContracts(), now: await readTime(remote.reader) }
    const quote = await terminal.step(
      `A asks to have ${money(asked.amountIn)} on chain ${other.chainId}`,
      () => askSwap(client, { ...asked, crossing }),
    )
    const approved = await terminal.step(
      'A decodes the deposit: amounts, recipient, deadline, who is refunded',
      () => checkSwap(client, quote, { ...asked, crossing }),
    )
    return { quote, approved }
  }

  /** The client's own knowledge of the bridge. */
  function listContracts() {
    const carry = (token: `0x${string}`, decimals: number) => ({ token, decimals })
    return {
      chainId: other.chainId,
      spokePool: chain.across.spokePool,
      multicallHandler: other.across.multicallHandler,
      contracts: { wrapped: other.wrappedNative, router: other.uniswap.router },
      carried: [
        { input: carry(dollar!.address, 6), output: carry(theirs!.address, 6) },
        { input: carry(chain.wrappedNative, 18), output: carry(other.wrappedNative, 18) },
      ],
    }
  }

  function showQuote({ routing, expectedOutput, fees, fillDeadline, recoveryRecipient }: SwapQuote): void {
    terminal.detail('route', routing)
    terminal.detail('will get', money(BigInt(expectedOutput)))
    terminal.detail('fees', `${money(BigInt(fees.total))}, and what the bridge keeps`)
    terminal.detail('or else', `after ${fillDeadline} it is owed back to ${recoveryRecipient}`)
  }

  async function playRefund(): Promise<void> {
    const before = await readChain(client, payer.reader, dollar!.address)
    const { quote: lost, approved } = await quoteAndCheck(client)
    const deposit = await terminal.step(
      'the filler of the devnet is told to leave this one alone',
      async () => {
        await filler.tell('hold')
        try {
          const found = await filler.findDeposit(await signAndSubmit(client, approved))
          await filler.tell('refuse', found)
          return found
        } finally {
          await filler.tell('release')
        }
      },
    )
    await terminal.step('its deadline passes: the devnet’s clock is moved on', async (show) => {
      await followCrossing(client, lost, { until: ['confirmed_source'], show })
      await filler.tell('expire', deposit)
      await followCrossing(client, lost, { until: ['expired'], show })
    })
    const { refundTxHash } = await terminal.step('the bridge pays it back', async (show) => {
      await filler.tell('refund', deposit)
      return followCrossing(client, lost, { until: ['refunded'], show })
    })
    terminal.detail('refunded by', String(refundTxHash))
    await waitUntilEqual(client, { ...chain, reader: payer.reader }, [dollar!.address])
    const after = await readChain(client, payer.reader, dollar!.address)
    terminal.detail('A has', `${money(after)} = ${money(before)} − ${money(BigInt(lost.fees.total))} fees`)
    if (after !== before - BigInt(lost.fees.total))
      throw new DemoError('The sums are wrong: please report this')
    terminal.note('An order ends in one of two ways, and both chains show which: filled, or paid back.')
  }
}

const readTime = async (reader: PublicClient) => Number((await reader.getBlock()).timestamp)
