import { useEffect, useState } from 'react'
import type { WalletKeys } from 'stealth-relay/client'
import {
  runMoves,
  type Move,
  type MoveState,
  type Plan,
  type RecoveryChain,
} from 'stealth-relay/client/recovery'
import { Heading } from '../../wallet/parts/heading.tsx'
import { Notice } from '../../wallet/parts/notice.tsx'
import { commitmentProver } from '../commitment-prover.ts'
import { describeMove, describeState, PAGE } from '../texts.ts'

/** A proof keeps the page busy for a second: what it says is painted before. */
const PAINT_MS = 50
const prover: typeof commitmentProver = {
  async prove(circuit, input) {
    await new Promise((resolve) => {
      setTimeout(resolve, PAINT_MS)
    })
    return commitmentProver.prove(circuit, input)
  },
}

/** Signs and sends as soon as it is shown. */
export function MovingStep({
  keys,
  chains,
  plan,
  again,
}: {
  keys: WalletKeys
  chains: readonly RecoveryChain[]
  plan: Plan
  again: () => void
}) {
  const [states, setStates] = useState(new Map<Move, MoveState>())
  const [isWhole, setWhole] = useState<boolean | null>(null)
  const { moving } = PAGE
  useEffect(() => {
    const report = (move: Move, state: MoveState) => setStates((before) => new Map(before).set(move, state))
    void runMoves(plan, { keys, chains, prover, report }).then(setWhole)
    // The plan was agreed to once, and is sent once.
  }, [])
  return (
    <>
      {isWhole === null ? (
        <Heading lead={moving.lead}>{moving.title}</Heading>
      ) : (
        <Heading key="end" lead={isWhole ? moving.doneLead : moving.partlyLead}>
          {isWhole ? moving.done : moving.partly}
        </Heading>
      )}
      <section className="sheet" aria-label={moving.title}>
        <ol className="moves" aria-live="polite">
          {plan.moves.map((move, place) => {
            const state = states.get(move)
            return (
              <li className="move" key={place}>
                <span className="strong">{describeMove(move, chains)}</span>
                <br />
                <span
                  className={state?.state === 'failed' ? 'bad' : state?.state === 'done' ? 'good' : 'quiet'}
                >
                  {describeState(state)}
                </span>
                {state && 'txHash' in state && state.txHash && (
                  <>
                    <br />
                    <span className="hash">{state.txHash}</span>
                  </>
                )}
              </li>
            )
          })}
        </ol>
      </section>
      {isWhole === false && <Notice kind="wait">{moving.partlyLead}</Notice>}
      {isWhole !== null && (
        <button type="button" className="button quiet wide" onClick={again}>
          {moving.again}
        </button>
      )}
    </>
  )
}
