import { useState } from 'react'
import { isAddressEqual, zeroAddress, type Address } from 'viem'
import { AssetAmountFields, tokenOf, useAssetAmount } from '../parts/asset-amount.tsx'
import { Choice } from '../parts/field.tsx'
import { formatToken } from '../parts/format.ts'
import { Ghosts } from '../parts/ghosts.tsx'
import { Order, type FormParts } from '../parts/order.tsx'
import { EmptyForm, OrderForm } from '../parts/order-form.tsx'
import { findChain, SETTINGS } from '../read-settings.ts'
import { askSwapOffer, makeSwap, type SwapDraft, type SwapOffer } from '../session/ask-swap.ts'
import { useHome } from '../session/use-home.ts'
import { useTokens } from '../session/use-tokens.ts'
import { TEXTS } from '../texts.ts'
import { ReviewSwap } from './review-swap.tsx'

/** A swap, on one chain or to another. */
export function SwapScreen() {
  return (
    <Order<SwapDraft, SwapOffer>
      ask={askSwapOffer}
      make={makeSwap}
      form={(parts) => <SwapForm {...parts} />}
      review={(parts) => <ReviewSwap {...parts} />}
      describe={({ draft, expected }) => (
        <p className="figure">
          {`${formatToken(draft.amount, draft.from)} → ${formatToken(expected, draft.to)}`}
        </p>
      )}
      texts={TEXTS.swap}
    />
  )
}

function SwapForm({ isRunning, failure, onReview }: FormParts<SwapDraft>) {
  const { account } = useHome()
  const [wanted, setWanted] = useState<Address | null>(null)
  const [isTried, setTried] = useState(false)
  const value = useAssetAmount(
    (account?.balances.nodes ?? []).filter(
      ({ available, spam, chainId }) => !spam && available !== '0' && findChain(chainId)?.wrapped,
    ),
  )
  const { asset, amount, error } = value
  const [elsewhere, setElsewhere] = useState<number | null>(null)
  const chains = asset ? listTargets(asset.chainId) : []
  const toChainId = chains.find(({ chainId }) => chainId === elsewhere)?.chainId ?? asset?.chainId ?? 0
  const isHere = toChainId === asset?.chainId
  const { all } = useTokens(toChainId, zeroAddress)
  // The same token on the other chain comes first there; here it is no swap.
  const others = all.filter(
    (token) => asset && !(isHere && isAddressEqual(token.address, asset.tokenAddress)),
  )
  const to =
    others.find(({ address }) => address === wanted) ??
    (isHere ? undefined : others.find(({ symbol }) => symbol === asset?.tokenSymbol)) ??
    others[0]
  const { swap, send } = TEXTS

  if (!account) return <Ghosts />
  if (!asset || !to)
    return (
      <EmptyForm title={swap.title} lead={swap.lead}>
        {send.noFunds}
      </EmptyForm>
    )
  return (
    <OrderForm
      title={swap.title}
      lead={swap.lead}
      isRunning={isRunning}
      failure={failure}
      asking={swap.asking}
      onSubmit={() => {
        setTried(true)
        if (amount !== null && !error)
          onReview({ chainId: asset.chainId, toChainId, from: tokenOf(asset), to, amount })
      }}
    >
      <AssetAmountFields value={value} isTried={isTried} assetLabel={swap.from} amountLabel={swap.amount} />
      {chains.length > 1 && (
        <Choice
          label={swap.where}
          value={toChainId}
          options={chains.map(({ chainId, name }) => ({ value: chainId, text: name }))}
          onChoose={(chosen) => {
            setElsewhere(chosen)
            setWanted(null)
          }}
        />
      )}
      <Choice
        label={swap.to}
        value={to.address}
        options={others.map(({ address, symbol }) => ({ value: address, text: symbol }))}
        onChoose={setWanted}
      />
    </OrderForm>
  )
}

/** The chain itself, and those to which a bridge leads from it. */
const listTargets = (from: number) =>
  SETTINGS.chains.filter(
    ({ chainId, wrapped, carried }) =>
      chainId === from || (wrapped && carried && findChain(from)?.spokePool !== undefined),
  )
