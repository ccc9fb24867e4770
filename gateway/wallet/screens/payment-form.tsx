import { useState } from 'react'
import type { Client } from 'stealth-relay/client'
import { useQuery } from 'urql'
import { formatUnits, isAddress } from 'viem'
import { Choice, Field } from '../parts/field.tsx'
import { formatToken, parseAmount } from '../parts/format.ts'
import { Heading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import { useTask } from '../parts/use-task.ts'
import { findChain } from '../read-settings.ts'
import type { BalanceEntry, ContactsAnswer } from '../session/answers.ts'
import type { PaymentDraft } from '../session/ask-payment.ts'
import { CONTACTS } from '../session/documents.ts'
import { useSession } from '../session/session.ts'
import { useHome } from '../session/use-home.ts'
import { TEXTS } from '../texts.ts'
import { Ghosts } from './home-screen.tsx'

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
  const [{ data }] = useQuery<ContactsAnswer>({ query: CONTACTS, variables: { accountId: client.accountId } })
  const [to, setTo] = useState(draft?.destination ?? '')
  const [text, setText] = useState(draft ? formatUnits(draft.amount, draft.decimals) : '')
  const [assetId, setAssetId] = useState<string | null>(null)
  const [isTried, setTried] = useState(false)
  const most = useTask()
  const { send } = TEXTS

  const contacts = data?.account?.contacts.nodes ?? []
  const assets = (account?.balances.nodes ?? []).filter(
    ({ available, spam, chainId }) => !spam && available !== '0' && findChain(chainId),
  )
  const moving = account?.balances.nodes.find(({ pending }) => pending !== '0')
  const asset =
    assets.find(({ id }) => id === assetId) ?? assets.find((one) => isDrafted(one, draft)) ?? assets[0]
  const destination = contacts.find(({ name }) => name === to.trim())?.address ?? to.trim()
  const amount = asset ? parseAmount(text, asset.decimals) : null
  const errors = { to: toError(destination), amount: asset ? amountError(amount, asset) : null }

  if (!account) return <Ghosts />
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!asset || amount === null || errors.to || errors.amount) return
        const { chainId, tokenAddress: token, tokenSymbol: symbol, decimals } = asset
        onReview({ chainId, token, symbol, decimals, amount, destination })
      }}
    >
      <Heading lead={send.lead}>{send.title}</Heading>
      {asset ? (
        <div className="sheet stack">
          <Field
            label={send.to}
            hint={send.toHint}
            list="contacts"
            value={to}
            className="mono"
            error={isTried ? errors.to : null}
            onChange={(event) => setTo(event.target.value)}
          />
          <datalist id="contacts">
            {contacts.map(({ id, name }) => (
              <option key={id} value={name} />
            ))}
          </datalist>
          <Choice
            label={send.asset}
            value={asset.id}
            options={assets.map((one) => ({ value: one.id, text: describeAsset(one) }))}
            onChoose={setAssetId}
          />
          <Field
            label={send.amount}
            inputMode="decimal"
            value={text}
            className="big"
            after={
              <button
                type="button"
                className="most"
                aria-label={send.mostLabel}
                disabled={most.isRunning}
                onClick={() => most.run(async () => setText(await findMost(client, asset)))}
              >
                {send.most}
              </button>
            }
            hint={send.available(formatToken(asset.available, tokenOf(asset)))}
            error={isTried ? errors.amount : null}
            onChange={(event) => setText(event.target.value)}
          />
          {(failure ?? most.failure) && <Notice kind="bad">{failure ?? most.failure}</Notice>}
          <button type="submit" className="button main wide" disabled={isRunning}>
            {isRunning ? send.asking : send.next}
          </button>
        </div>
      ) : (
        <div className="sheet empty">
          <p>{moving ? send.moving(formatToken(moving.pending, tokenOf(moving))) : send.noFunds}</p>
          <a className="button main" href="#/receive">
            {TEXTS.home.emptyAction}
          </a>
        </div>
      )}
    </form>
  )
}

/** What can be sent after fees, without joining addresses whose money came from different people. */
async function findMost(client: Client, { chainId, tokenAddress, decimals }: BalanceEntry): Promise<string> {
  const { maxAmount } = await client.call('maxSpendable', { body: { chainId, token: tokenAddress } })
  return formatUnits(BigInt(maxAmount), decimals)
}

const tokenOf = ({ tokenSymbol, decimals }: BalanceEntry) => ({ symbol: tokenSymbol, decimals })

const describeAsset = (asset: BalanceEntry) =>
  `${formatToken(asset.available, tokenOf(asset))} · ${asset.chainName}`

const isDrafted = ({ chainId, tokenAddress }: BalanceEntry, draft: PaymentDraft | null) =>
  draft !== null && chainId === draft.chainId && tokenAddress === draft.token

/** An address, or a name; the service looks closer. */
const toError = (text: string) =>
  isAddress(text, { strict: false }) || /^[^\s.]+(?:\.[^\s.]+)+$/.test(text) ? null : TEXTS.send.badTo

function amountError(amount: bigint | null, asset: BalanceEntry): string | null {
  if (amount === null) return TEXTS.send.badAmount
  return amount > BigInt(asset.available)
    ? TEXTS.send.tooMuch(formatToken(asset.available, tokenOf(asset), { whole: true }))
    : null
}
