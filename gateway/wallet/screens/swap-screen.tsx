import { useState } from 'react'
import { isAddressEqual, zeroAddress, type Address } from 'viem'
import { Choice, Field } from '../parts/field.tsx'
import { formatToken, parseAmount } from '../parts/format.ts'
import { Heading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import { Progress } from '../parts/progress.tsx'
import { useTask } from '../parts/use-task.ts'
import { findChain } from '../read-settings.ts'
import type { BalanceEntry } from '../session/answers.ts'
import { askSwapOffer, makeSwap, type SwapDraft, type SwapOffer } from '../session/ask-swap.ts'
import { describeProblem } from '../session/describe-problem.ts'
import { useSession } from '../session/session.ts'
import { useHome } from '../session/use-home.ts'
import { useTokens } from '../session/use-tokens.ts'
import { TEXTS } from '../texts.ts'
import { Ghosts } from './home-screen.tsx'
import { ReviewSwap } from './review-swap.tsx'

type Step =
  | { name: 'form' }
  | { name: 'review'; offer: SwapOffer }
  | { name: 'progress'; offer: SwapOffer; state: string }
  | { name: 'done'; offer: SwapOffer; txHash: string }
  | { name: 'failed'; text: string }

/** A swap on one chain, in three steps: what, the review, and following it. */
export function SwapScreen() {
  const { client } = useSession()
  const [step, setStep] = useState<Step>({ name: 'form' })
  const { isRunning, failure, run } = useTask()
  const { swap } = TEXTS

  const ask = (draft: SwapDraft) =>
    run(async () => setStep({ name: 'review', offer: await askSwapOffer(client, draft) }))
  const make = async (offer: SwapOffer) => {
    try {
      const txHash = await makeSwap(client, offer, (state) => setStep({ name: 'progress', offer, state }))
      setStep({ name: 'done', offer, txHash })
    } catch (error) {
      setStep({ name: 'failed', text: describeProblem(error) })
    }
  }
  const back = (offer: SwapOffer) => {
    void client.call('unlockQuote', { body: { quoteId: offer.quote.quoteId } }).catch(() => undefined)
    setStep({ name: 'form' })
  }

  switch (step.name) {
    case 'review':
      return (
        <ReviewSwap
          offer={step.offer}
          isRunning={isRunning}
          back={() => back(step.offer)}
          onAgain={() => ask(step.offer.draft)}
          onSwap={() => void make(step.offer)}
        />
      )
    case 'progress':
      return (
        <Progress state={step.state}>
          <p className="figure">{describeSwap(step.offer)}</p>
        </Progress>
      )
    case 'done':
      return (
        <div className="stack">
          <Heading lead={swap.doneLead}>{swap.done}</Heading>
          <div className="sheet center">
            <p className="figure">{describeSwap(step.offer)}</p>
            <code className="hash">{step.txHash}</code>
          </div>
          <a className="button main" href="#/home">
            {TEXTS.sent.home}
          </a>
        </div>
      )
    case 'failed':
      return (
        <div className="stack">
          <Heading lead={TEXTS.notSent.lead}>{swap.failed}</Heading>
          <Notice kind="bad">{step.text}</Notice>
          <button type="button" className="button main" onClick={() => setStep({ name: 'form' })}>
            {TEXTS.notSent.again}
          </button>
        </div>
      )
    default:
      return <SwapForm isRunning={isRunning} failure={failure} onReview={ask} />
  }
}

const describeSwap = ({ draft, expected }: SwapOffer) =>
  `${formatToken(draft.amount, draft.from)} → ${formatToken(expected, draft.to)}`

function SwapForm({
  isRunning,
  failure,
  onReview,
}: {
  isRunning: boolean
  failure: string | null
  onReview: (draft: SwapDraft) => void
}) {
  const { account } = useHome()
  const [assetId, setAssetId] = useState<string | null>(null)
  const [wanted, setWanted] = useState<Address | null>(null)
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const assets = (account?.balances.nodes ?? []).filter(
    ({ available, spam, chainId }) => !spam && available !== '0' && findChain(chainId)?.wrapped,
  )
  const asset = assets.find(({ id }) => id === assetId) ?? assets[0]
  const { all } = useTokens(asset?.chainId ?? 0, zeroAddress)
  const others = all.filter((token) => asset && !isAddressEqual(token.address, asset.tokenAddress))
  const to = others.find(({ address }) => address === wanted) ?? others[0]
  const { swap, send } = TEXTS

  if (!account) return <Ghosts />
  if (!asset || !to)
    return (
      <>
        <Heading lead={swap.lead}>{swap.title}</Heading>
        <div className="sheet empty">
          <p>{send.noFunds}</p>
          <a className="button main" href="#/receive">
            {TEXTS.home.emptyAction}
          </a>
        </div>
      </>
    )
  const from = tokenOf(asset)
  const amount = parseAmount(text, from.decimals)
  const error = amountError(amount, asset)
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (amount !== null && !error) onReview({ chainId: asset.chainId, from, to, amount })
      }}
    >
      <Heading lead={swap.lead}>{swap.title}</Heading>
      <div className="sheet stack">
        <Choice
          label={swap.from}
          value={asset.id}
          options={assets.map((one) => ({
            value: one.id,
            text: `${formatToken(one.available, tokenOf(one))} · ${one.chainName}`,
          }))}
          onChoose={setAssetId}
        />
        <Field
          label={swap.amount}
          inputMode="decimal"
          value={text}
          className="big"
          hint={send.available(formatToken(asset.available, from))}
          error={isTried ? error : null}
          onChange={(event) => setText(event.target.value)}
        />
        <Choice
          label={swap.to}
          value={to.address}
          options={others.map(({ address, symbol }) => ({ value: address, text: symbol }))}
          onChoose={setWanted}
        />
        {failure && <Notice kind="bad">{failure}</Notice>}
        <button type="submit" className="button main wide" disabled={isRunning}>
          {isRunning ? swap.asking : send.next}
        </button>
      </div>
    </form>
  )
}

const tokenOf = ({ tokenAddress: address, tokenSymbol: symbol, decimals }: BalanceEntry) => ({
  address,
  symbol,
  decimals,
})

function amountError(amount: bigint | null, asset: BalanceEntry): string | null {
  if (amount === null) return TEXTS.send.badAmount
  return amount > BigInt(asset.available)
    ? TEXTS.send.tooMuch(formatToken(asset.available, tokenOf(asset), { whole: true }))
    : null
}
