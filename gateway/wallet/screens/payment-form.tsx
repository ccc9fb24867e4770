import { useState } from 'react'
import { formatUnits } from 'viem'
import { AssetAmountFields, tokenOf, useAssetAmount } from '../parts/asset-amount.tsx'
import { formatToken } from '../parts/format.ts'
import { Ghosts } from '../parts/ghosts.tsx'
import { EmptyForm, OrderForm } from '../parts/order-form.tsx'
import { RecipientField, useRecipient } from '../parts/recipient-field.tsx'
import { findChain } from '../read-settings.ts'
import type { BalanceEntry } from '../session/answers.ts'
import type { PaymentDraft } from '../session/ask-payment.ts'
import { useSession } from '../session/session.ts'
import { useHome } from '../session/use-home.ts'
import { TEXTS } from '../texts.ts'

/** To whom, how much, and of what. */
export function PaymentForm({
  draft,
  isRunning,
  failure,
  onReview,
}: {
  draft: PaymentDraft | null
  isRunning: boolean
  failure: string | null
  onReview: (draft: PaymentDraft) => void
}) {
  const { client } = useSession()
  const { account } = useHome()
  const recipient = useRecipient(draft?.destination)
  const [isTried, setTried] = useState(false)
  const balances = account?.balances.nodes ?? []
  const value = useAssetAmount(
    balances.filter(({ available, spam, chainId }) => !spam && available !== '0' && findChain(chainId)),
    draft ? formatUnits(draft.amount, draft.decimals) : '',
    (one) => isDrafted(one, draft),
  )
  const { asset, amount } = value
  const { send } = TEXTS

  if (!account) return <Ghosts />
  if (!asset) {
    const moving = balances.find(({ pending }) => pending !== '0')
    return (
      <EmptyForm title={send.title} lead={send.lead}>
        {moving ? send.moving(formatToken(moving.pending, tokenOf(moving))) : send.noFunds}
      </EmptyForm>
    )
  }
  return (
    <OrderForm
      title={send.title}
      lead={send.lead}
      isRunning={isRunning}
      failure={failure}
      asking={send.asking}
      onSubmit={() => {
        setTried(true)
        if (amount === null || recipient.error || value.error) return
        const { chainId, tokenAddress: token, tokenSymbol: symbol, decimals } = asset
        onReview({ chainId, token, symbol, decimals, amount, destination: recipient.destination })
      }}
    >
      <RecipientField value={recipient} isTried={isTried} hint={send.toHint} />
      <AssetAmountFields
        value={value}
        isTried={isTried}
        assetLabel={send.asset}
        // After fees, without joining addresses whose money came from different people.
        findMost={async ({ chainId, tokenAddress: token }) =>
          (await client.call('maxSpendable', { body: { chainId, token } })).maxAmount
        }
      />
    </OrderForm>
  )
}

const isDrafted = ({ chainId, tokenAddress }: BalanceEntry, draft: PaymentDraft | null) =>
  draft !== null && chainId === draft.chainId && tokenAddress === draft.token
