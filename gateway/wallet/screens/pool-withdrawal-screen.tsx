import { useState } from 'react'
import type { Address } from 'viem'
import { AddressText } from '../parts/address-text.tsx'
import { AssetAmountFields, useAssetAmount } from '../parts/asset-amount.tsx'
import { Choice } from '../parts/field.tsx'
import { formatToken } from '../parts/format.ts'
import { Ghosts } from '../parts/ghosts.tsx'
import { Order, type FormParts, type ReviewParts } from '../parts/order.tsx'
import { EmptyForm, OrderForm } from '../parts/order-form.tsx'
import { RecipientField, useRecipient } from '../parts/recipient-field.tsx'
import { Fact, hasPassed, Review } from '../parts/review.tsx'
import { findChain } from '../read-settings.ts'
import {
  askWithdrawal,
  makeWithdrawal,
  type WithdrawalDraft,
  type WithdrawalOffer,
} from '../session/ask-withdrawal.ts'
import { useSession } from '../session/session.ts'
import { useHome } from '../session/use-home.ts'
import { TEXTS } from '../texts.ts'
import { describeCrowd } from './describe-crowd.ts'

/** Money leaves a pool, and the chain does not show whose it was. */
export function PoolWithdrawalScreen() {
  return (
    <Order<WithdrawalDraft, WithdrawalOffer>
      ask={askWithdrawal}
      make={makeWithdrawal}
      form={(parts) => <WithdrawalForm {...parts} />}
      review={(parts) => <ReviewWithdrawal {...parts} />}
      describe={({ draft }) => (
        <>
          <p className="figure">{formatToken(draft.amount, draft)}</p>
          {draft.recipient && <AddressText address={draft.recipient} />}
        </>
      )}
      texts={TEXTS.withdrawal}
      stays
    />
  )
}

function WithdrawalForm({ isRunning, failure, onReview }: FormParts<WithdrawalDraft>) {
  const { client } = useSession()
  const { account } = useHome()
  const [isOwn, setOwn] = useState(false)
  const [isTried, setTried] = useState(false)
  const recipient = useRecipient('', { takesNames: false })
  const value = useAssetAmount(
    (account?.balances.nodes ?? [])
      .filter(({ pooled, chainId }) => pooled !== '0' && findChain(chainId)?.entrypoint)
      .map((balance) => ({ ...balance, available: balance.pooled })),
  )
  const { asset, amount, error } = value
  const { withdrawal } = TEXTS
  const type = isOwn ? 'incognito_self_send' : 'incognito_send'

  if (!account) return <Ghosts />
  if (!asset)
    return (
      <EmptyForm title={withdrawal.title} lead={withdrawal.lead} href="#/pools" action={TEXTS.pools.title}>
        {withdrawal.noFunds}
      </EmptyForm>
    )
  return (
    <OrderForm
      title={withdrawal.title}
      lead={withdrawal.lead}
      isRunning={isRunning}
      failure={failure}
      asking={withdrawal.asking}
      onSubmit={() => {
        setTried(true)
        if (amount === null || error || (!isOwn && recipient.error)) return
        const { chainId, tokenAddress: token, tokenSymbol: symbol, decimals } = asset
        const to = isOwn ? null : (recipient.destination as Address)
        onReview({ chainId, token, symbol, decimals, amount, recipient: to })
      }}
    >
      <Choice
        label={withdrawal.whom}
        value={isOwn ? 'own' : 'other'}
        options={[
          { value: 'other', text: withdrawal.other },
          { value: 'own', text: withdrawal.own },
        ]}
        onChoose={(whom) => setOwn(whom === 'own')}
      />
      {!isOwn && <RecipientField value={recipient} isTried={isTried} hint={withdrawal.toHint} />}
      <AssetAmountFields
        value={value}
        isTried={isTried}
        assetLabel={TEXTS.send.asset}
        findMost={async ({ chainId, tokenAddress: token }) =>
          (await client.call('maxSpendable', { body: { type, chainId, token } })).maxAmount
        }
      />
    </OrderForm>
  )
}

function ReviewWithdrawal({ offer, ...ways }: ReviewParts<WithdrawalOffer>) {
  const { draft, fee, maxFee, withdrawals, crowd, caveats } = offer
  const { review, withdrawal } = TEXTS
  const warnings = caveats.flatMap((kind) => withdrawal.caveats[kind] ?? [])
  return (
    <Review
      title={withdrawal.review}
      checked={withdrawal.checked}
      action={withdrawal.go}
      isOld={hasPassed(offer.expiresAt)}
      {...ways}
    >
      <Fact
        name={withdrawal.get}
        figure={formatToken(draft.amount, draft, { whole: true })}
        more={findChain(draft.chainId)?.name}
      />
      <Fact name={review.to} more={draft.recipient ? review.compare : withdrawal.ownLead}>
        {draft.recipient ? <AddressText address={draft.recipient} /> : withdrawal.own}
      </Fact>
      <Fact name={review.fee} more={withdrawal.most(formatToken(maxFee, draft))}>
        {withdrawal.about(formatToken(fee, draft))}
      </Fact>
      <Fact name={withdrawal.crowd} {...describeCrowd(crowd, withdrawal.hidden)} />
      <Fact
        name={review.seen}
        more={withdrawal.seen}
        wait={withdrawals > 1 && withdrawal.several(withdrawals)}
      />
      {warnings.length > 0 && (
        <Fact
          name={withdrawal.warnings}
          wait={warnings.map((text) => (
            <p key={text}>{text}</p>
          ))}
        />
      )}
    </Review>
  )
}
