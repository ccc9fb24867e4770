// SPDX-License-Identifier: MIT
import type { Client } from '../account/open-client.ts'
import { checkCalls, type AskedCalls } from './check-calls.ts'
import { checkCashOut, checkCashOutWithdrawal } from './check-cash-out.ts'
import { checkSend } from './check-send.ts'
import { checkSwap } from './check-swap.ts'
import type { CashOutOptions, CashOutQuote, WithdrawalQuote, WithdrawCashOutOptions } from './cash-out.ts'
import type { Quote, SendOptions } from './send.ts'
import { signOrders, type Approved, type Submission } from './sign-orders.ts'
import type { SwapOptions, SwapQuote } from './swap.ts'
import {
  checkCollectible,
  type CollectibleQuote,
  type WithdrawCollectibleOptions,
} from './withdraw-collectible.ts'

/** The wallet's own request, by the type of its quote. The quotes of pools are signed by `signPoolQuote`. */
export type AskedQuote =
  | ({ type: 'send' } & SendOptions)
  | ({ type: 'swap' } & SwapOptions)
  | ({ type: 'offramp' } & CashOutOptions)
  | ({ type: 'offramp_withdraw' } & WithdrawCashOutOptions)
  | ({ type: 'nft_withdraw' } & WithdrawCollectibleOptions)
  | ({ type: 'dapp_call' } & AskedCalls)

/**
 * Checks a quote against the request, and signs it. There is no other way to a signature: a quote that fails one check
 * (PROTOCOL.md, "Before any signature") is not signed at all.
 * @returns The body of `submit`.
 * @throws Error that names the first check that failed.
 */
export async function signQuote(client: Client, quote: Quote, asked: AskedQuote): Promise<Submission> {
  return signOrders(await checkQuote(client, quote, asked))
}

function checkQuote(client: Client, quote: Quote, asked: AskedQuote): Promise<Approved> {
  switch (asked.type) {
    case 'send':
      return checkSend(client, quote, asked)
    case 'swap':
      return checkSwap(client, quote as SwapQuote, asked)
    case 'offramp':
      return checkCashOut(client, quote as CashOutQuote, asked)
    case 'offramp_withdraw':
      return checkCashOutWithdrawal(client, quote as WithdrawalQuote, asked)
    case 'nft_withdraw':
      return checkCollectible(client, quote as CollectibleQuote, asked)
    case 'dapp_call':
      return checkCalls(client, quote, asked)
    default:
      // Callers without types get here.
      throw new Error('a quote of a type that this function does not check')
  }
}
