import { useEffect, useState } from 'react'
import { useQuery } from 'urql'
import { formatMoment, formatToken, shortenAddress } from '../parts/format.ts'
import { Heading } from '../parts/heading.tsx'
import { Notice } from '../parts/notice.tsx'
import { OrderStart } from '../parts/order-start.tsx'
import { Order } from '../parts/order.tsx'
import { TokenDisc } from '../parts/token-disc.tsx'
import { useTask } from '../parts/use-task.ts'
import type { ArrivalEntry, ArrivalsAnswer, ArrivedAsset } from '../session/answers.ts'
import { askDeposit, makeDeposit, type DepositDraft, type DepositOffer } from '../session/ask-deposit.ts'
import { ARRIVALS } from '../session/documents.ts'
import { useSession } from '../session/session.ts'
import { TEXTS } from '../texts.ts'
import { Ghosts } from '../parts/ghosts.tsx'
import { ReviewDeposit } from './pool-deposit-screen.tsx'

/** What came in: the user moves it into a pool, or leaves it where it is. */
export function ArrivalsScreen() {
  const { client } = useSession()
  const [moving, setMoving] = useState<DepositDraft | null>(null)
  const [{ data }, read] = useQuery<ArrivalsAnswer>({
    query: ARRIVALS,
    variables: { accountId: client.accountId },
    requestPolicy: 'cache-and-network',
  })
  const { run, failure, isRunning } = useTask()
  useEffect(() => {
    // The open screen shows all of it.
    client.call('markDepositReviewSeen', {}).catch(() => undefined)
  }, [client])
  const leave = ({ address, lastReceivedAt, rawReceiveCount }: ArrivalEntry) =>
    run(async () => {
      await client.call('skipDepositReview', { path: { address }, body: { lastReceivedAt, rawReceiveCount } })
      read({ requestPolicy: 'network-only' })
    })
  const { arrivals } = TEXTS
  if (moving) return <MoveOrder draft={moving} leave={() => setMoving(null)} />
  const items = data?.account?.review?.nodes
  return (
    <>
      <Heading lead={arrivals.lead}>{arrivals.title}</Heading>
      {failure && <Notice kind="bad">{failure}</Notice>}
      {!items && <Ghosts />}
      {items?.length === 0 && <p className="hint">{arrivals.none}</p>}
      {items?.map((item) => (
        <section key={item.id} className="sheet stack" aria-label={arrivals.at(shortenAddress(item.address))}>
          <ul className="lines">
            {item.assets.map((asset) => (
              <AssetLine
                key={asset.id}
                asset={asset}
                moment={item.lastReceivedAt}
                onMove={() => setMoving(draftOf(item, asset))}
              />
            ))}
          </ul>
          <button type="button" className="link" disabled={isRunning} onClick={() => leave(item)}>
            {arrivals.keep}
          </button>
        </section>
      ))}
    </>
  )
}

const draftOf = (
  { address: payer }: ArrivalEntry,
  { chainId, tokenAddress: token, tokenSymbol: symbol, decimals }: ArrivedAsset,
): DepositDraft => ({ chainId, token, symbol, decimals, amount: null, payer })

function AssetLine({ asset, moment, onMove }: { asset: ArrivedAsset; moment: string; onMove: () => void }) {
  const { tokenSymbol: symbol, decimals, amount, chainName, logoUrl, canConvert } = asset
  const text = formatToken(amount, { symbol, decimals })
  const { arrivals } = TEXTS
  return (
    <li className="line">
      <TokenDisc symbol={symbol} logo={logoUrl} />
      <div className="line-what">
        <span className="strong">{text}</span>
        <span className="quiet">{`${chainName} · ${formatMoment(moment)}`}</span>
      </div>
      {canConvert && (
        <button type="button" className="button quiet" aria-label={arrivals.moveOf(text)} onClick={onMove}>
          {arrivals.move}
        </button>
      )}
    </li>
  )
}

function MoveOrder({ draft, leave }: { draft: DepositDraft; leave: () => void }) {
  const { arrivals } = TEXTS
  return (
    <Order<DepositDraft, DepositOffer>
      ask={askDeposit}
      make={makeDeposit}
      form={(parts) => (
        <OrderStart
          {...parts}
          draft={draft}
          leave={leave}
          title={TEXTS.deposit.title}
          lead={TEXTS.deposit.lead}
          how={arrivals.all}
        />
      )}
      review={(parts) => <ReviewDeposit {...parts} />}
      describe={({ worth }) => <p className="figure">{formatToken(worth, draft)}</p>}
      texts={TEXTS.deposit}
    />
  )
}
