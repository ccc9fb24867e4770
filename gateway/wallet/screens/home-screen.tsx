import { readRemembered } from '../keys/remembered-wallet.ts'
import { formatDollars, formatToken } from '../parts/format.ts'
import { Ghosts } from '../parts/ghosts.tsx'
import { Heading } from '../parts/heading.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notice } from '../parts/notice.tsx'
import { AccountRosette } from '../parts/account-rosette.tsx'
import { TokenDisc } from '../parts/token-disc.tsx'
import { nameContacts, ActivityList } from '../parts/activity-list.tsx'
import { SETTINGS } from '../read-settings.ts'
import type { BalanceEntry } from '../session/answers.ts'
import { describeProblem } from '../session/describe-problem.ts'
import { useSession } from '../session/session.ts'
import { useContacts } from '../session/use-contacts.ts'
import { useHome } from '../session/use-home.ts'
import { TEXTS } from '../texts.ts'

const LATEST = 6

/** Balances and the latest activity. */
export function HomeScreen() {
  const { client, opensBy } = useSession()
  const { account, error, read } = useHome()
  const { contacts } = useContacts()
  const { home } = TEXTS
  const balances = (account?.balances.nodes ?? []).filter(isShown)
  const activities = [...(account?.pendingActivities ?? []), ...(account?.activities.nodes ?? [])]
  const unpriced = balances.filter(({ usdAmount }) => usdAmount === null).length
  const total = account?.balances.totalUsdAmount ?? null
  return (
    <>
      <Heading isHidden>{TEXTS.nav.home}</Heading>
      {error && (
        <Notice kind="bad">
          <p>{account ? TEXTS.lostPage : home.failed}</p>
          <p className="hint">{describeProblem(error)}</p>
          <button type="button" className="link" onClick={() => read({ requestPolicy: 'network-only' })}>
            {TEXTS.tryAgain}
          </button>
        </Notice>
      )}
      <section className="note" aria-label={home.total} aria-busy={!account && !error}>
        <AccountRosette accountId={client.accountId} size={300} />
        <p className="note-label">{home.total}</p>
        {account ? (
          <p className="total">
            {total === null && balances.length > 0 ? home.noTotal : formatDollars(total ?? '0')}
          </p>
        ) : (
          <p className="total waiting">{error ? '–' : TEXTS.loading}</p>
        )}
        {account && unpriced > 0 && total !== null && <p className="note-label">{home.unpriced(unpriced)}</p>}
        <div className="row">
          <a className="button note-button" href="#/receive">
            <Icon name="receive" size={20} />
            {TEXTS.nav.receive}
          </a>
          <a className="button note-button" href="#/send">
            <Icon name="send" size={20} />
            {TEXTS.nav.send}
          </a>
          <a className="button note-button" href="#/swap">
            <Icon name="swap" size={20} />
            {TEXTS.nav.swap}
          </a>
        </div>
      </section>
      {account && <Doors balances={balances} arrived={account.depositReviewSummary?.needsReviewCount ?? 0} />}
      {opensBy === 'pin' && balances.length > 0 && !readRemembered()?.hasBackup && (
        <Notice kind="wait">
          <p>{home.backup}</p>
          <a className="link" href="#/account">
            {home.backupAction}
          </a>
        </Notice>
      )}
      {account && balances.length === 0 && activities.length === 0 ? (
        <section className="sheet empty">
          <h2>{home.empty}</h2>
          <p>{home.emptyLead}</p>
          <a className="button main" href="#/receive">
            {home.emptyAction}
          </a>
        </section>
      ) : (
        <div className="columns">
          <section className="sheet" aria-labelledby="balances">
            <h2 id="balances">{home.balances}</h2>
            {account ? (
              <ul className="lines">
                {balances.map((balance) => (
                  <BalanceLine key={balance.id} balance={balance} />
                ))}
              </ul>
            ) : (
              <Ghosts />
            )}
          </section>
          <section className="sheet" aria-labelledby="latest">
            <h2 id="latest">{home.activity}</h2>
            {account ? (
              <>
                <ActivityList activities={activities.slice(0, LATEST)} names={nameContacts(contacts)} />
                <a className="link" href="#/activity">
                  {home.all}
                </a>
              </>
            ) : (
              <Ghosts />
            )}
          </section>
        </div>
      )}
    </>
  )
}

/** The ways to what has no tab of its own. Private money says so when a deposit wants attention. */
function Doors({ balances, arrived }: { balances: readonly BalanceEntry[]; arrived: number }) {
  const isDeclined = balances.some(({ pooledDeclined }) => pooledDeclined !== '0')
  const { chains } = SETTINGS
  const { home } = TEXTS
  return (
    <div className="doors">
      {arrived > 0 && chains.some(({ entrypoint }) => entrypoint) && (
        <a className="sheet door across" href="#/arrivals">
          <Icon name="receive" />
          <span className="line-what">
            <strong>{home.arrivals(arrived)}</strong>
            <span className="quiet">{home.arrivalsLead}</span>
          </span>
        </a>
      )}
      {chains.some(({ entrypoint }) => entrypoint) && (
        <a className="sheet door" href="#/pools">
          <Icon name={isDeclined ? 'warn' : 'pools'} />
          <span className="line-what">
            <strong>{home.pools}</strong>
            <span className={isDeclined ? 'wait' : 'quiet'}>
              {isDeclined ? home.poolsDeclined : home.poolsLead}
            </span>
          </span>
        </a>
      )}
      {chains.some(({ cash }) => cash) && (
        <a className="sheet door" href="#/cash-out">
          <Icon name="cash" />
          <span className="line-what">
            <strong>{home.cashOut}</strong>
            <span className="quiet">{home.cashOutLead}</span>
          </span>
        </a>
      )}
    </div>
  )
}

/** A token that is gone, and likely spam, take no place. */
function isShown(balance: BalanceEntry): boolean {
  return !balance.spam && (balance.available !== '0' || balance.pending !== '0' || sumPooled(balance) > 0n)
}

const sumPooled = ({
  pooled,
  pooledPendingApproval,
  pooledPendingWithdrawal,
  pooledDeclined,
}: BalanceEntry) =>
  [pooled, pooledPendingApproval, pooledPendingWithdrawal, pooledDeclined]
    .map(BigInt)
    .reduce((total, amount) => total + amount)

function BalanceLine({ balance }: { balance: BalanceEntry }) {
  const { tokenSymbol, decimals, available, pending, usdAmount, priceStale } = balance
  const token = { symbol: tokenSymbol, decimals }
  const inPools = sumPooled(balance)
  return (
    <li className="line">
      <TokenDisc symbol={tokenSymbol} logo={balance.logoUrl} />
      <div className="line-what">
        <span className="strong">{formatToken(available, token)}</span>
        <span className="quiet">{balance.chainName}</span>
        {pending !== '0' && <span className="wait">{TEXTS.home.pending(formatToken(pending, token))}</span>}
        {inPools > 0n && (
          <span className="quiet whole">{TEXTS.home.pooled(formatToken(inPools, token))}</span>
        )}
      </div>
      <div className="line-much">
        <span className="strong">{formatDollars(usdAmount) ?? TEXTS.home.noPrice}</span>
        {usdAmount !== null && priceStale && <span className="quiet">{TEXTS.home.stalePrice}</span>}
      </div>
    </li>
  )
}
