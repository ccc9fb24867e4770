import { useState } from 'react'
import { isAddressEqual } from 'viem'
import { AssetAmountFields, useAssetAmount } from '../parts/asset-amount.tsx'
import { formatToken } from '../parts/format.ts'
import { Ghosts } from '../parts/ghosts.tsx'
import { Order, type FormParts, type ReviewParts } from '../parts/order.tsx'
import { EmptyForm, OrderForm } from '../parts/order-form.tsx'
import { Fact, hasPassed, Review } from '../parts/review.tsx'
import { findChain } from '../read-settings.ts'
import { askDeposit, makeDeposit, type DepositDraft, type DepositOffer } from '../session/ask-deposit.ts'
import { useSession } from '../session/session.ts'
import { useHome } from '../session/use-home.ts'
import { usePools } from '../session/use-pools.ts'
import { TEXTS } from '../texts.ts'
import { describeCrowd } from './describe-crowd.ts'

/** Money goes into a pool. */
export function PoolDepositScreen() {
  return (
    <Order<DepositDraft, DepositOffer>
      ask={askDeposit}
      make={makeDeposit}
      form={(parts) => <DepositForm {...parts} />}
      review={(parts) => <ReviewDeposit {...parts} />}
      describe={({ draft, worth }) => <p className="figure">{formatToken(worth, draft)}</p>}
      texts={TEXTS.deposit}
    />
  )
}

function DepositForm({ isRunning, failure, onReview }: FormParts<DepositDraft>) {
  const { client } = useSession()
  const { account } = useHome()
  const pools = usePools()
  const [isTried, setTried] = useState(false)
  const value = useAssetAmount(
    (account?.balances.nodes ?? []).filter(
      (one) => !one.spam && one.available !== '0' && pools?.some((pool) => isOfPool(one, pool)),
    ),
  )
  const { asset, amount, error } = value
  const { deposit } = TEXTS

  if (!account || !pools) return <Ghosts />
  if (!asset)
    return (
      <EmptyForm title={deposit.title} lead={deposit.lead}>
        {deposit.noFunds}
      </EmptyForm>
    )
  return (
    <OrderForm
      title={deposit.title}
      lead={deposit.lead}
      isRunning={isRunning}
      failure={failure}
      asking={TEXTS.send.asking}
      onSubmit={() => {
        setTried(true)
        const { chainId, tokenAddress, tokenSymbol: symbol, decimals } = asset
        if (amount !== null && !error) onReview({ chainId, token: tokenAddress, symbol, decimals, amount })
      }}
    >
      <AssetAmountFields
        value={value}
        isTried={isTried}
        assetLabel={TEXTS.send.asset}
        findMost={async ({ chainId, tokenAddress: token }) => {
          const body = { type: 'pool_deposit', chainId, token } as const
          return (await client.call('maxSpendable', { body })).maxAmount
        }}
      />
    </OrderForm>
  )
}

const isOfPool = (
  { chainId, tokenAddress }: { chainId: number; tokenAddress: `0x${string}` },
  pool: { chainId: number; token: `0x${string}` },
) => chainId === pool.chainId && isAddressEqual(tokenAddress, pool.token)

/** Everything that a person decides on, in words, before a deposit is signed. */
export function ReviewDeposit({ offer, ...ways }: ReviewParts<DepositOffer>) {
  const { draft, quote, worth, fee, deposits, crowd } = offer
  const { fees } = quote
  const service = BigInt(fees.service) + BigInt(fees.deposit)
  const { review, deposit } = TEXTS
  return (
    <Review
      title={deposit.review}
      checked={deposit.checked}
      action={deposit.go}
      isOld={hasPassed(offer.expiresAt)}
      {...ways}
    >
      <Fact
        name={deposit.worth}
        figure={formatToken(worth, draft, { whole: true })}
        more={findChain(draft.chainId)?.name}
      />
      <Fact
        name={review.fee}
        more={deposit.fees(
          formatToken(fees.network, draft),
          formatToken(fees.vetting, draft),
          service > 0n ? formatToken(service, draft) : null,
        )}
      >
        {formatToken(fee, draft)}
      </Fact>
      <Fact name={review.total}>{formatToken(quote.amountIn, draft)}</Fact>
      <Fact name={TEXTS.withdrawal.crowd} {...describeCrowd(crowd, TEXTS.deposit.hidden)} />
      <Fact
        name={review.seen}
        more={deposit.seen}
        wait={deposits > 1 && deposit.several(deposits, offer.isLinked)}
      />
      <Fact name={deposit.next} more={deposit.nextLead} />
    </Review>
  )
}
