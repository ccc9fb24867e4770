import encodeQr from 'qr'
import { formatUnits, zeroAddress, type Address } from 'viem'
import { writePaymentLink } from '../wallet/session/payment-link.ts'
import { html, type Html } from './html.ts'
import type { PayableToken } from './payment-routes.ts'

/** A request to a visitor for a payment. */
export interface PaymentRequest {
  /** The whole name, such as bob.pay.eth. */
  name: string
  /** Null where the payer chooses. */
  chain: { chainId: number; name: string } | null
  token: PayableToken | null
  /** In the token's smallest unit; null leaves it to the payer. */
  amount: bigint | null
}

/** The page of one visit. It shows the address without scripts; with them it also says when the payment has arrived. */
export function paymentPage(
  request: PaymentRequest,
  { address, ticket, chains }: { address: Address; ticket: string; chains: readonly string[] },
): Html {
  const { name, chain, token, amount } = request
  const link = writePaymentLink({
    chainId: chain?.chainId ?? null,
    to: address,
    token: token?.address ?? zeroAddress,
    amount,
  })
  const sum = amount === null || !token ? null : `${formatUnits(amount, token.decimals)} ${token.symbol}`
  const groups = [address.slice(0, 2), ...(address.slice(2).match(/.{1,4}/g) ?? [])]
  return frame(
    `Pay ${name}`,
    html`<h1>${sum === null ? 'Pay' : `Pay ${sum} to`} <span class="name">${name}</span></h1>
      <p class="lead">
        ${
          chain
            ? `Send ${token?.symbol ?? 'it'} on ${chain.name}. Money on another network may not arrive.`
            : `Send on ${listWords(chains)}. Money on another network may not arrive.`
        }
      </p>
      <section class="sheet" aria-label="The address">
        ${drawQr(link, `QR code of the payment to ${address}`)}
        <p class="address" translate="no">
          <span class="unseen">${address}</span
          ><span class="groups" aria-hidden="true"
            >${groups.map((group) => html`<span>${group}</span> `)}</span
          >
        </p>
        <p class="row">
          <a class="button main" href="${link}">Open in a wallet</a>
          <button class="button quiet" type="button" id="copy" data-text="${address}" hidden>Copy</button>
        </p>
      </section>
      <p
        id="state"
        class="state"
        role="status"
        data-ticket="${ticket}"
        data-wanted="${amount === null ? '' : String(amount)}"
        data-token="${token?.address ?? ''}"
        data-chain="${chain ? String(chain.chainId) : ''}"
        hidden
      >
        Waiting for the payment
      </p>
      <ul id="paid" class="paid"></ul>
      <p class="hint">
        The address was made for this visit, so nobody sees what else ${name} was paid. Keep it for this
        payment alone.
      </p>`,
  )
}

/** A page that says why there is nothing to pay. */
export const paymentProblemPage = (title: string, text: string): Html =>
  frame(
    title,
    html`<h1>${title}</h1>
      <p class="lead">${text}</p>`,
  )

function frame(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/payment-page.css" />
        <script src="/assets/payment-page.js" type="module"></script>
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html>`
}

/** In ink on white, in the dark too: cameras expect it. */
function drawQr(text: string, label: string): Html {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 2 })
  const path = rows
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return html`<svg class="qr" viewBox="0 0 ${rows.length} ${rows.length}" role="img" aria-label="${label}">
    <rect width="${rows.length}" height="${rows.length}" fill="#fff" />
    <path d="${path}" fill="#000" />
  </svg>`
}

const listWords = (names: readonly string[]) =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(names)
