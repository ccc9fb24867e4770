import { useState } from 'react'
import type { RecoveryChain } from 'stealth-relay/client/recovery'
import { AddressText } from '../../wallet/parts/address-text.tsx'
import { Heading } from '../../wallet/parts/heading.tsx'
import { Notice } from '../../wallet/parts/notice.tsx'
import { describeFee, wordHolding, describeMove, describeTraces, PAGE } from '../texts.ts'
import type { Agreed } from './terms.ts'

/** Everything that will happen, in its order, before anything is signed. */
export function ReviewStep({
  chains,
  agreed: { plan, destination },
  back,
  onAgree,
}: {
  chains: readonly RecoveryChain[]
  agreed: Agreed
  back: () => void
  onAgree: () => void
}) {
  const [isAgreed, setAgreed] = useState(false)
  const { review } = PAGE
  const chainOf = (chainId: number) =>
    chains.find((chain) => chain.chainId === chainId) ?? { chainId, name: '', nativeSymbol: '' }
  return (
    <>
      <Heading>{review.title}</Heading>
      <section className="sheet stack" aria-label={review.to}>
        <h2>{review.to}</h2>
        <AddressText address={destination} />
        {plan.contractOn.length > 0 && (
          <p className="wait">{review.contract(plan.contractOn.map((chainId) => chainOf(chainId).name))}</p>
        )}
      </section>
      {plan.moves.length > 0 ? (
        <section className="sheet" aria-label={review.list}>
          <h2>{review.list}</h2>
          <ol className="moves">
            {plan.moves.map((move, place) => (
              <li className="move" key={place}>
                <span className="strong">{describeMove(move, chains)}</span>
                <br />
                <span className="hash">
                  {review.from} {move.from.address}
                </span>
                <br />
                <span className="quiet">
                  {chainOf(move.chainId).name}, {review.atMost} {describeFee(move.fee, chainOf(move.chainId))}
                </span>
              </li>
            ))}
          </ol>
        </section>
      ) : (
        <Notice kind="wait">{review.nothing}</Notice>
      )}
      {plan.moves.length > 0 && (
        <Notice kind="wait">
          <p className="strong">{review.traces}</p>
          {describeTraces(plan).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </Notice>
      )}
      {plan.short.length + plan.dust.length > 0 && (
        <section className="sheet" aria-label={review.short}>
          <h2>{review.short}</h2>
          {plan.short.map(({ owner, chainId, missing, holdings }) => (
            <div className="held" key={`${chainId}${owner.address}`}>
              <p className="strong">{holdings.map((one) => wordHolding(one, chains)).join(', ')}</p>
              <p className="hash">{owner.address}</p>
              <p className="quiet">{review.shortLine(describeFee(missing, chainOf(chainId)))}</p>
            </div>
          ))}
          {plan.dust.map((holding) => (
            <div className="held" key={`${holding.chainId}${holding.owner.address}`}>
              <p className="strong">{wordHolding(holding, chains)}</p>
              <p className="hash">{holding.owner.address}</p>
              <p className="quiet">{review.dust}</p>
            </div>
          ))}
        </section>
      )}
      {plan.moves.length > 0 && (
        <>
          <label className="check">
            <input type="checkbox" checked={isAgreed} onChange={() => setAgreed(!isAgreed)} />
            <span>{review.agree}</span>
          </label>
          <button type="button" className="button main wide" disabled={!isAgreed} onClick={onAgree}>
            {review.go(plan.moves.length)}
          </button>
        </>
      )}
      <button type="button" className="button plain wide" onClick={back}>
        {PAGE.back}
      </button>
    </>
  )
}
