import { AddressText } from '../parts/address-text.tsx'
import { Heading } from '../parts/heading.tsx'
import { AccountRosette } from '../parts/account-rosette.tsx'
import { Icon } from '../parts/icon.tsx'
import { useSession } from '../session/session.ts'
import { useContacts } from '../session/use-contacts.ts'
import { TEXTS } from '../texts.ts'
import { BackupForm } from './backup-form.tsx'
import { OwnName } from './own-name.tsx'
import { WayOutSection } from './way-out-section.tsx'

/** The account itself: its figure, its backup, the way home without the service, its contacts. */
export function AccountScreen({ lock }: { lock: () => void }) {
  const { client, opensBy } = useSession()
  const { contacts } = useContacts('cache-and-network')
  const { account } = TEXTS
  return (
    <div className="stack">
      <Heading>{account.title}</Heading>
      <section className="sheet center">
        <div className="own-rosette">
          <AccountRosette accountId={client.accountId} size={180} label={account.rosette} />
        </div>
        <p className="hint">{account.rosette}</p>
        <dl className="facts">
          <div>
            <dt>{account.key}</dt>
            <dd>{account.keys[opensBy]}</dd>
          </div>
          <div>
            <dt>{account.id}</dt>
            <dd className="hash">{client.accountId}</dd>
          </div>
        </dl>
      </section>
      <OwnName />
      <BackupForm />
      <WayOutSection />
      <section className="sheet" aria-labelledby="contacts-heading">
        <h2 id="contacts-heading">{account.contacts}</h2>
        {contacts.length === 0 ? (
          <p className="hint">{account.noContacts}</p>
        ) : (
          <ul className="lines">
            {contacts.map(({ id, name, address }) => (
              <li key={id} className="contact">
                <span className="strong">{name}</span>
                <AddressText address={address} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <a className="sheet door" href="#/apps">
        <Icon name="apps" />
        <span className="line-what">
          <strong>{TEXTS.apps.title}</strong>
          <span className="quiet">{TEXTS.apps.door}</span>
        </span>
      </a>
      <button type="button" className="button quiet wide" onClick={lock}>
        {account.lock}
      </button>
    </div>
  )
}
