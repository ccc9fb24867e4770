import { useEffect, useState } from 'react'
import type { CashOutPreview } from 'stealth-relay/client'
import { useQuery } from 'urql'
import { AssetAmountFields, tokenOf, useAssetAmount } from '../parts/asset-amount.tsx'
import { Choice, Field } from '../parts/field.tsx'
import { describeWait, formatMoment, formatToken } from '../parts/format.ts'
import { Ghosts } from '../parts/ghosts.tsx'
import { Icon } from '../parts/icon.tsx'
import { Order, type FormParts, type ReviewParts } from '../parts/order.tsx'
import { EmptyForm, OrderForm } from '../parts/order-form.tsx'
import { Fact, hasPassed, Review } from '../parts/review.tsx'
import { useTask } from '../parts/use-task.ts'
import { findChain } from '../read-settings.ts'
import type { CashOutEntry, CashOutsAnswer } from '../session/answers.ts'
import {
  askSale,
  findMethods,
  listSalePlaces,
  makeCashOut,
  type CashOutDraft,
  type SaleOffer,
  type ReturnDraft,
} from '../session/ask-cash-out.ts'
import { CASH_OUTS } from '../session/documents.ts'
import { useSession } from '../session/session.ts'
import { useHome } from '../session/use-home.ts'
import { TEXTS } from '../texts.ts'
import { ReturnOrder } from './return-order.tsx'

/** Tokens are sold for money on a payment app; sales that run stand below. */
export default function CashOutScreen() {
  const [returning, setReturning] = useState<ReturnDraft | null>(null)
  if (returning) return <ReturnOrder draft={returning} leave={() => setReturning(null)} />
  return (
    <Order<CashOutDraft, SaleOffer>
      ask={askSale}
      make={makeCashOut}
      form={(parts) => (
        <>
          <CashOutForm {...parts} />
          <RunningSales onReturn={setReturning} />
        </>
      )}
      review={(parts) => <ReviewCashOut {...parts} />}
      describe={({ draft, quote }) => (
        <>
          <p className="figure">{formatToken(draft.amount, draft)}</p>
          <p>{TEXTS.cashOut.about(quote.estimatedFiatAmount)}</p>
        </>
      )}
      texts={TEXTS.cashOut}
    />
  )
}

function CashOutForm({ isRunning, failure, onReview }: FormParts<CashOutDraft>) {
  const { account } = useHome()
  const [isTried, setTried] = useState(false)
  const [payee, setPayee] = useState('')
  const [way, setWay] = useState<string | null>(null)
  const value = useAssetAmount(
    (account?.balances.nodes ?? []).filter(
      ({ available, spam, chainId, tokenAddress }) =>
        !spam && available !== '0' && listSalePlaces(chainId, tokenAddress).length > 0,
    ),
  )
  const { asset, amount, error } = value
  const [wanted, setPlace] = useState<number | null>(null)
  const places = asset ? listSalePlaces(asset.chainId, asset.tokenAddress) : []
  const place = places.find(({ chainId }) => chainId === wanted) ?? places[0]
  const { ways, failure: unread } = useWays(asset, place?.chainId)
  const chosen = ways.find(({ id }) => id === way) ?? ways[0]
  const { cashOut } = TEXTS

  if (!account) return <Ghosts />
  if (!asset)
    return (
      <EmptyForm title={cashOut.title} lead={cashOut.lead}>
        {cashOut.noFunds}
      </EmptyForm>
    )
  return (
    <OrderForm
      title={cashOut.title}
      lead={cashOut.lead}
      isRunning={isRunning}
      failure={failure ?? unread}
      asking={cashOut.asking}
      onSubmit={() => {
        setTried(true)
        if (amount === null || error || !chosen || !place || payee.trim() === '') return
        const { paymentMethod, currency } = chosen
        const { address: token, symbol, decimals } = tokenOf(asset)
        const draft = {
          chainId: asset.chainId,
          token,
          symbol,
          decimals,
          amount,
          escrowChainId: place.chainId,
        }
        onReview({ ...draft, paymentMethod, currency, payee: payee.trim() })
      }}
    >
      <AssetAmountFields value={value} isTried={isTried} assetLabel={cashOut.sell} />
      {places.some(({ chainId }) => chainId !== asset.chainId) && (
        <Choice
          label={cashOut.where}
          value={place?.chainId ?? asset.chainId}
          options={places.map(({ chainId, name }) => ({ value: chainId, text: name }))}
          onChoose={setPlace}
        />
      )}
      {chosen && (
        <>
          <Choice
            label={cashOut.by}
            value={chosen.id}
            options={ways.map(({ id, paymentMethod, currency, rate }) => ({
              value: id,
              text: cashOut.way(nameMethod(paymentMethod), currency, asset.tokenSymbol, rate),
            }))}
            onChoose={setWay}
          />
          <Field
            label={cashOut.payee(nameMethod(chosen.paymentMethod))}
            hint={cashOut.payeeHint}
            value={payee}
            error={isTried && payee.trim() === '' ? cashOut.noPayee : null}
            onChange={(event) => setPayee(event.target.value)}
          />
        </>
      )}
    </OrderForm>
  )
}

interface Way {
  id: string
  paymentMethod: string
  currency: string
  /** Price of a whole token. */
  rate: string
}

/** The ways to be paid that have a price now. */
function useWays(
  asset: Parameters<typeof tokenOf>[0] | undefined,
  escrowChainId: number | undefined,
): { ways: Way[]; failure: string | null } {
  const { client } = useSession()
  const [methods, setMethods] = useState<CashOutPreview['methods']>([])
  const { run, failure } = useTask()
  const { id, chainId, available } = asset ?? {}
  useEffect(() => {
    if (!asset || !id || !escrowChainId) return
    const { address: token } = tokenOf(asset)
    run(async () =>
      setMethods(
        await findMethods(client, {
          chainId: asset.chainId,
          token,
          amount: BigInt(asset.available),
          escrowChainId,
        }),
      ),
    )
    // The price moves; the review has the one that counts.
  }, [client, id, chainId, available, escrowChainId])
  const ways = methods.flatMap(({ paymentMethod, currencies }) =>
    currencies.flatMap(({ currency, conversionRate: rate }) =>
      rate ? [{ id: `${paymentMethod} ${currency}`, paymentMethod, currency, rate }] : [],
    ),
  )
  return { ways, failure }
}

/** As people write it: the venue's names are in small letters. */
const nameMethod = (method: string) => method.charAt(0).toUpperCase() + method.slice(1)

function ReviewCashOut({ offer, ...ways }: ReviewParts<SaleOffer>) {
  const { draft, quote, fee, earlier, crossing } = offer
  const { review, cashOut } = TEXTS
  return (
    <Review
      title={cashOut.review}
      checked={cashOut.checked}
      action={cashOut.go}
      isOld={hasPassed(offer.expiresAt)}
      {...ways}
    >
      <Fact
        name={cashOut.sell}
        figure={formatToken(draft.amount, draft, { whole: true })}
        more={findChain(draft.chainId)?.name}
      />
      <Fact
        name={cashOut.get}
        figure={quote.estimatedFiatAmount}
        more={cashOut.least(quote.minimumFiatAmount)}
      />
      {crossing && (
        <Fact
          name={TEXTS.swap.arrives}
          more={TEXTS.swap.refund(formatMoment(crossing.deadline.toISOString()))}
        >
          {TEXTS.swap.carried(
            findChain(draft.escrowChainId)?.name ?? String(draft.escrowChainId),
            describeWait(crossing.estimatedMs),
          )}
        </Fact>
      )}
      <Fact name={cashOut.to} more={cashOut.compare}>
        {`${draft.payee} · ${nameMethod(draft.paymentMethod)}`}
      </Fact>
      <Fact name={review.fee} more={TEXTS.swap.leaves(formatToken(quote.amountIn, draft))}>
        {formatToken(fee, draft)}
      </Fact>
      <Fact name={review.seen} more={cashOut.seen} wait={earlier > 0 && cashOut.linked(earlier)} />
      <Fact name={TEXTS.deposit.next} more={cashOut.next} />
    </Review>
  )
}

const ENDED = new Set(['completed', 'returned', 'failed'])

function RunningSales({ onReturn }: { onReturn: (draft: ReturnDraft) => void }) {
  const { client } = useSession()
  const [{ data }] = useQuery<CashOutsAnswer>({
    query: CASH_OUTS,
    variables: { accountId: client.accountId },
    requestPolicy: 'cache-and-network',
  })
  const sales = (data?.account?.activities.nodes ?? []).flatMap(({ id, offRamp }) =>
    offRamp && !ENDED.has(offRamp.phase) ? [{ id, ...offRamp }] : [],
  )
  const { cashOut } = TEXTS
  if (sales.length === 0) return null
  return (
    <section className="sheet" aria-labelledby="sales">
      <h2 id="sales">{cashOut.running}</h2>
      <ul className="lines">
        {sales.map((sale) => (
          <SaleLine key={sale.id} sale={sale} onReturn={onReturn} />
        ))}
      </ul>
    </section>
  )
}

function SaleLine({ sale, onReturn }: { sale: CashOutEntry; onReturn: (draft: ReturnDraft) => void }) {
  const { escrowTokenSymbol: symbol, escrowDecimals: decimals, peerDepositId } = sale
  const token = { symbol, decimals }
  const { cashOut } = TEXTS
  const rest = formatToken(sale.remaining, token)
  return (
    <li className="line">
      <span className="disc sign">
        <Icon name="send" size={20} />
      </span>
      <div className="line-what">
        <span className="strong">
          {cashOut.sold(formatToken(sale.filled, token), formatToken(sale.escrowAmount, token))}
        </span>
        <span className="quiet">
          {`${cashOut.phases[sale.phase] ?? sale.phase} · ${nameMethod(sale.paymentMethod)}`}
        </span>
      </div>
      {peerDepositId && sale.remaining !== '0' && (
        <button
          type="button"
          className="button quiet"
          aria-label={TEXTS.pools.recoverOf(rest)}
          onClick={() =>
            onReturn({
              ...token,
              chainId: sale.escrowChainId,
              token: sale.escrowTokenAddress,
              depositId: peerDepositId,
            })
          }
        >
          {TEXTS.pools.recover}
        </button>
      )}
    </li>
  )
}
