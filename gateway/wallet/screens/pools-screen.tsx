import { useState } from 'react'
import { formatToken } from '../parts/format.ts'
import { Ghosts } from '../parts/ghosts.tsx'
import { Heading } from '../parts/heading.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { TokenDisc } from '../parts/token-disc.tsx'
import type { NoteEntry, PoolEntry } from '../session/answers.ts'
import type { RecoveryDraft } from '../session/ask-recovery.ts'
import { useHome } from '../session/use-home.ts'
import { useNotes, usePools } from '../session/use-pools.ts'
import { TEXTS } from '../texts.ts'
import { RecoverOrder } from './recover-order.tsx'

/** The deposits in pools, and the ways in and out. */
export function PoolsScreen() {
  const { account } = useHome()
  const pools = usePools()
  const [recovering, setRecovering] = useState<RecoveryDraft | null>(null)
  const { pools: texts } = TEXTS
  if (recovering) return <RecoverOrder draft={recovering} leave={() => setRecovering(null)} />

  const balances = account?.balances.nodes ?? []
  const hasReady = balances.some(({ pooled }) => pooled !== '0')
  return (
    <>
      <Heading lead={texts.lead}>{texts.title}</Heading>
      <div className="row ways">
        <a className="button main" href="#/pool-in">
          <Icon name="pools" size={20} />
          {texts.in}
        </a>
        {hasReady && (
          <a className="button quiet" href="#/pool-out">
            <Icon name="send" size={20} />
            {texts.out}
          </a>
        )}
      </div>
      {!pools || !account ? (
        <Ghosts />
      ) : (
        <div className="sheet pools">
          {pools.map((pool) => (
            <PoolItem key={pool.id} pool={pool} onRecover={setRecovering} />
          ))}
          {pools.length === 0 && <p className="hint">{texts.none}</p>}
        </div>
      )}
    </>
  )
}

function PoolItem({ pool, onRecover }: { pool: PoolEntry; onRecover: (draft: RecoveryDraft) => void }) {
  const notes = useNotes(pool)
  const { pools: texts } = TEXTS
  const token = { symbol: pool.tokenSymbol, decimals: pool.decimals }
  const ready = (notes ?? []).filter(({ aspStatus }) => aspStatus === 'approved')
  const sum = ready.map(({ value }) => BigInt(value)).reduce((total, value) => total + value, 0n)
  return (
    <section aria-label={texts.pool(pool.tokenSymbol, pool.chainName)}>
      <div className="line">
        <TokenDisc symbol={pool.tokenSymbol} logo={pool.logoUrl} />
        <div className="line-what">
          <h2>{texts.pool(pool.tokenSymbol, pool.chainName)}</h2>
          <span className="quiet">
            {sum > 0n
              ? texts.ready(formatToken(sum, token))
              : texts.least(formatToken(pool.minDeposit, token))}
          </span>
        </div>
      </div>
      {notes && notes.length > 0 && (
        <ul className="lines notes">
          {notes.map((note) => (
            <NoteLine
              key={note.id}
              note={note}
              token={token}
              onRecover={() =>
                onRecover({
                  ...token,
                  chainId: pool.chainId,
                  token: pool.token,
                  commitmentId: note.commitmentId,
                })
              }
            />
          ))}
        </ul>
      )}
      {notes?.some(({ aspStatus }) => aspStatus === 'pending') && (
        <p className="hint">{texts.pendingLead(pool.asp.name)}</p>
      )}
      {notes?.some(({ aspStatus }) => aspStatus === 'declined') && (
        <p className="hint">{texts.declinedLead(pool.asp.name)}</p>
      )}
    </section>
  )
}

const SIGNS: Readonly<Record<string, { icon: IconName; tone: string }>> = {
  approved: { icon: 'done', tone: 'good' },
  declined: { icon: 'warn', tone: 'bad' },
  failed: { icon: 'warn', tone: 'bad' },
}

function NoteLine({
  note: { value, aspStatus, label, withdrawalIndex },
  token,
  onRecover,
}: {
  note: NoteEntry
  token: { symbol: string; decimals: number }
  onRecover: () => void
}) {
  const { pools: texts } = TEXTS
  const { icon, tone } = SIGNS[aspStatus] ?? { icon: 'activity', tone: '' }
  const amount = formatToken(value, token)
  return (
    <li className="line">
      <span className={`disc sign ${tone}`}>
        <Icon name={icon} size={20} />
      </span>
      <div className="line-what">
        <span className="strong">{amount}</span>
        <span className="quiet">
          {label === null ? texts.states['moving'] : texts.states[aspStatus]}
          {withdrawalIndex > 0 && ` · ${texts.rest}`}
        </span>
      </div>
      {aspStatus === 'declined' && (
        <button
          type="button"
          className="button quiet"
          aria-label={texts.recoverOf(amount)}
          onClick={onRecover}
        >
          {texts.recover}
        </button>
      )}
    </li>
  )
}
