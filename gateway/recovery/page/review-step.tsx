import { useState } from 'react'
import type { Plan, RecoveryChain } from 'stealth-relay/client/recovery'
import { AddressText } from '../../wallet/parts/address-text.tsx'
import { Heading } from '../../wallet/parts/heading.tsx'
import { Notice } from '../../wallet/parts/notice.tsx'
import { listTargets } from '../list-targets.ts'
import { describeFee, wordHolding, describeMove, describeTarget, describeTraces, PAGE } from '../texts.ts'

/** Everything that will happen, in its order, before anything is signed. */
export function ReviewStep({
  chains,
  plan,
  back,
  onAgree,
}: {
  chains: readonly RecoveryChain[]
  plan: Plan
  back: () => void
  onAgree: () => void
}) {
  const [isAgreed, setAgreed] = useState(false)
  const { review } = PAGE
  const targets = listTargets(plan)
  const chainOf = (chainId: number) =>
    chains.find((chain) => chain.chainId === chainId) ?? { chainId, name: '', nativeSymbol: '' }
  return (
    <>
      <Heading>{review.title}</Heading>
      {targets.length > 0 && (
        <section className="sheet stack" aria-labelledby="targets">
          <h2 id="targets">{targets.length === 1 ? review.to : review.several}</h2>
          {targets.map((target) => (
            <div className="stack" key={target.address}>
              <AddressText address={target.address} />
              {targets.length > 1 && <p className="quiet">{describeTarget(target, chains)}</p>}
              <ContractWarning plan={plan} address={target.address} chains={chains} />
            </div>
          ))}
        </section>
      )}
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
                {targets.some(({ address }) => address === move.to) && targets.length > 1 && (
                  <>
                    <br />
                    <span className="hash">
                      {review.into} {move.to}
                    </span>
                  </>
                )}
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
            <span>{review.agree(targets.length)}</span>
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

function ContractWarning({
  plan: { contracts },
  address,
  chains,
}: {
  plan: Plan
  address: string
  chains: readonly RecoveryChain[]
}) {
  const on = contracts.filter((contract) => contract.address === address)
  if (on.length === 0) return null
  const names = on.map(({ chainId }) => chains.find((chain) => chain.chainId === chainId)?.name ?? '')
  return <p className="wait">{PAGE.review.contract(names)}</p>
}
