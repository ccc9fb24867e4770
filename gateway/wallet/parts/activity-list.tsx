import { useState, type ReactNode } from 'react'
import type { ActivityEntry, ContactEntry } from '../session/answers.ts'
import { TEXTS } from '../texts.ts'
import { formatDollars, formatMoment, formatToken, shortenAddress } from './format.ts'
import { Icon, type IconName } from './icon.tsx'

/** Names of the address book by address, in small letters. */
export type ContactNames = ReadonlyMap<string, string>

export const nameContacts = (contacts: readonly ContactEntry[]): ContactNames =>
  new Map(contacts.map(({ address, name }) => [address.toLowerCase(), name]))

/** Payments, one a line; a line opens where there are details. */
export function ActivityList<Entry extends ActivityEntry>({
  activities,
  names,
  details,
}: {
  activities: readonly Entry[]
  names: ContactNames
  details?: (activity: Entry) => ReactNode
}) {
  if (activities.length === 0) return <p className="hint">{TEXTS.activity.empty}</p>
  return (
    <ul className="lines">
      {dropRepeated(activities).map((activity) => (
        <li key={activity.id}>
          {details ? (
            <Unfolding summary={<ActivityLine activity={activity} names={names} isLinked={false} />}>
              {() => details(activity)}
            </Unfolding>
          ) : (
            <ActivityLine activity={activity} names={names} />
          )}
        </li>
      ))}
    </ul>
  )
}

/** What is below is made when it is opened first. */
function Unfolding({ summary, children }: { summary: ReactNode; children: () => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && setOpen(true)}>
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  )
}

/** An activity that has just become final is in both lists for some minutes, under one id. */
const dropRepeated = <Entry extends ActivityEntry>(activities: readonly Entry[]) =>
  [...new Map(activities.toReversed().map((activity) => [activity.id, activity])).values()].toReversed()

function ActivityLine({
  activity,
  names,
  isLinked = true,
}: {
  activity: ActivityEntry
  names: ContactNames
  /** Its moment leads to the transaction. */
  isLinked?: boolean
}) {
  const { kind, state, amount, token, usdAmount } = activity
  const isIn = kind === 'RECEIVE'
  const { activity: texts } = TEXTS
  const came = findSwapped(activity)
  return (
    <div className={`line ${state}`}>
      <span className={`disc sign ${state === 'failed' ? 'bad' : isIn ? 'good' : ''}`}>
        <Icon name={signOf(activity)} size={20} />
      </span>
      <div className="line-what">
        <span className="strong">{activity.offRamp ? texts.cashOut : (texts.kinds[kind] ?? kind)}</span>
        <span className="quiet">
          {came && token ? `${token.symbol} → ${came.tokenSymbol}` : describeOther(activity, names)}
          {activity.isLikelySpam && ` · ${texts.spam}`}
        </span>
      </div>
      <div className="line-much">
        {came && (
          <span className="strong good">
            {'+'}
            {formatToken(came.value, { symbol: came.tokenSymbol, decimals: came.decimals })}
          </span>
        )}
        {!came && amount !== null && token && (
          <span className={`strong ${isIn ? 'good' : ''}`}>
            {isIn ? '+' : '−'}
            {formatToken(amount, token)}
          </span>
        )}
        <span className="quiet">
          {state === 'indexed' ? (
            <>
              {usdAmount !== null && `${formatDollars(usdAmount)} · `}
              <Moment activity={activity} isLinked={isLinked} />
            </>
          ) : (
            <span className={state === 'failed' ? 'bad' : 'wait'}>{texts.states[state]}</span>
          )}
        </span>
      </div>
    </div>
  )
}

/** The other side by its name or both ends of its address; else the chain. */
function describeOther({ kind, from, to, chain, offRamp }: ActivityEntry, names: ContactNames): string {
  if (offRamp) return TEXTS.cashOut.phases[offRamp.phase] ?? offRamp.phase
  const isIn = kind === 'RECEIVE'
  const other = isIn ? from : to
  if (!other || kind === 'SELF') return chain?.name ?? ''
  const who = names.get(other.toLowerCase()) ?? shortenAddress(other)
  return isIn ? TEXTS.activity.from(who) : TEXTS.activity.to(who)
}

/** The output of a swap: its last transfer, of another token than the first. */
function findSwapped({ kind, transfers }: ActivityEntry): ActivityEntry['transfers'][number] | null {
  const [first, last] = [transfers[0], transfers.at(-1)]
  return kind === 'SWAP' && first && last && first.tokenSymbol !== last.tokenSymbol ? last : null
}

/** When it was, with a way to the transaction: only a click asks the explorer. */
function Moment({
  activity: { date, txHash, explorerTxUrlBase },
  isLinked,
}: {
  activity: ActivityEntry
  isLinked: boolean
}) {
  const moment = <time dateTime={date}>{formatMoment(date)}</time>
  if (!isLinked || !txHash || !explorerTxUrlBase) return moment
  return (
    <a
      href={explorerTxUrlBase + txHash}
      target="_blank"
      rel="noreferrer noopener"
      title={TEXTS.activity.look}
    >
      {moment}
    </a>
  )
}

function signOf({ kind, state }: ActivityEntry): IconName {
  if (state === 'failed') return 'warn'
  if (kind === 'RECEIVE') return 'receive'
  return kind.includes('SEND') || kind === 'POOL_DEPOSIT' ? 'send' : 'swap'
}
