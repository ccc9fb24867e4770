import { useEffect, useState } from 'react'
import { formatUnits, isAddressEqual, parseUnits, zeroAddress, type Address } from 'viem'
import { AddressText } from '../parts/address-text.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Choice, Field } from '../parts/field.tsx'
import { formatToken, parseAmount } from '../parts/format.ts'
import { Heading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import { QrCode } from '../parts/qr-code.tsx'
import { useTask } from '../parts/use-task.ts'
import { SETTINGS } from '../read-settings.ts'
import type { TokenEntry } from '../session/answers.ts'
import { writePaymentLink } from '../session/payment-link.ts'
import { useSession } from '../session/session.ts'
import { useHome } from '../session/use-home.ts'
import { useTokens } from '../session/use-tokens.ts'
import { TEXTS } from '../texts.ts'
import { OwnPage } from './own-page.tsx'

/** Whole tokens that the devnet pays if no amount is asked for. */
const GIFT = '0.5'

/** A fresh address for one payer, until it is paid. */
export function ReceiveScreen() {
  const { client } = useSession()
  const { isRunning, failure, run } = useTask()
  const [address, setAddress] = useState<Address | null>(null)
  const [chainId, setChainId] = useState(SETTINGS.chains[0]?.chainId ?? 1)
  const [tokenAddress, setTokenAddress] = useState<Address>(zeroAddress)
  const [text, setText] = useState('')
  const token = useTokens(chainId, tokenAddress)
  const paid = usePaid(address)
  const amount = text === '' ? null : parseAmount(text, token.chosen.decimals)
  const { receive } = TEXTS

  const refresh = () =>
    run(async () => {
      setAddress(null)
      setAddress((await client.receive()).address)
    })
  // One address for each visit of the screen.
  useEffect(refresh, [client])

  const link = address && writePaymentLink({ chainId, to: address, token: token.chosen.address, amount })
  return (
    <>
      <Heading lead={receive.lead}>{receive.title}</Heading>
      {failure && (
        <Notice kind="bad">
          <p>{receive.failed}</p>
          <p className="hint">{failure}</p>
          <button type="button" className="link" onClick={refresh}>
            {TEXTS.tryAgain}
          </button>
        </Notice>
      )}
      <div className="sheet center" aria-busy={isRunning}>
        <div className={`frame ${paid ? 'is-paid' : ''}`}>
          {address && link ? (
            <QrCode text={link} label={receive.qr(address)} />
          ) : (
            <div className="qr ghost" />
          )}
        </div>
        {address && (
          <>
            <h2 className="quiet small">{receive.address}</h2>
            <AddressText address={address} />
            <div className="row">
              <CopyButton text={address} kind="main">
                {receive.share}
              </CopyButton>
              <CopyButton text={link ?? address}>{receive.link}</CopyButton>
            </div>
          </>
        )}
        <div className="live" role="status">
          {paid ? (
            <p className="paid">
              <strong>{receive.paid(paid)}</strong>
              <span>{receive.paidLead}</span>
            </p>
          ) : (
            address && <p className="hint">{receive.waiting}</p>
          )}
        </div>
        <button type="button" className="link" disabled={isRunning} onClick={refresh}>
          {receive.next}
        </button>
      </div>
      <div className="sheet stack">
        {SETTINGS.chains.length > 1 && (
          <Choice
            label={receive.chain}
            value={chainId}
            options={SETTINGS.chains.map((chain) => ({ value: chain.chainId, text: chain.name }))}
            onChoose={(chosen) => {
              setChainId(chosen)
              setTokenAddress(zeroAddress)
            }}
          />
        )}
        <Choice
          label={receive.token}
          value={token.chosen.address}
          options={token.all.map((one) => ({ value: one.address, text: one.symbol }))}
          onChoose={setTokenAddress}
        />
        <Field
          label={receive.amount}
          inputMode="decimal"
          value={text}
          error={text !== '' && amount === null ? receive.badAmount : null}
          onChange={(event) => setText(event.target.value)}
        />
        {SETTINGS.isDevnet && address && (
          <PayMe to={address} chainId={chainId} token={token.chosen} amount={amount} />
        )}
      </div>
      <OwnPage
        chainId={chainId}
        token={token.chosen}
        amount={amount === null ? null : formatUnits(amount, token.chosen.decimals)}
      />
    </>
  )
}

/** The amount that came to an address, in words; null before. */
function usePaid(address: Address | null): string | null {
  const { account } = useHome()
  if (!address) return null
  const transfers = (account?.activities.nodes ?? []).flatMap((activity) => activity.transfers)
  const came = transfers.find(({ toAddress }) => isAddressEqual(toAddress, address))
  return came ? formatToken(came.value, { symbol: came.tokenSymbol, decimals: came.decimals }) : null
}

/** On local chains: somebody rich pays. */
function PayMe({
  to,
  chainId,
  token,
  amount,
}: {
  to: Address
  chainId: number
  token: TokenEntry
  amount: bigint | null
}) {
  const { isRunning, failure, run } = useTask()
  const gift = amount ?? parseUnits(GIFT, token.decimals)
  const pay = () =>
    run(async () => {
      const answer = await fetch('/wallet/devnet-payments', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ chainId, token: token.address, to, amount: String(gift) }),
      })
      if (!answer.ok) throw new Error(((await answer.json()) as { message: string }).message)
    })
  return (
    <div className="stack devnet-pay">
      <button type="button" className="button quiet wide" disabled={isRunning} onClick={pay}>
        {isRunning ? TEXTS.receive.paying : TEXTS.receive.pay(formatToken(gift, token))}
      </button>
      <p className="hint">{TEXTS.receive.payLead}</p>
      {failure && <Notice kind="bad">{failure}</Notice>}
    </div>
  )
}
