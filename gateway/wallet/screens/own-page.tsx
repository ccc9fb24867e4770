import { zeroAddress } from 'viem'
import { CopyButton } from '../parts/copy-button.tsx'
import { QrCode } from '../parts/qr-code.tsx'
import type { TokenEntry } from '../session/answers.ts'
import { useOwnName } from '../session/use-own-name.ts'
import { TEXTS } from '../texts.ts'

/** The page on which anybody pays to the account's name; nothing where the service gives no names. */
export function OwnPage({
  chainId,
  token,
  amount,
}: {
  chainId: number
  token: TokenEntry
  /** In whole tokens, as written; null leaves chain, token and amount to the payer. */
  amount: string | null
}) {
  const name = useOwnName()
  const { ownPage } = TEXTS
  if (name === undefined) return null
  const link = name === null ? null : writeLink(name, amount === null ? null : { chainId, token, amount })
  return (
    <section className="sheet stack" aria-labelledby="own-page-heading">
      <h2 id="own-page-heading">{ownPage.title}</h2>
      <p className="hint">{ownPage.lead}</p>
      {link === null ? (
        <p>
          <a className="link" href="#/account">
            {ownPage.noName}
          </a>
        </p>
      ) : (
        <>
          <p className="hash">{link}</p>
          <CopyButton text={link}>{ownPage.copy}</CopyButton>
          <details>
            <summary className="link">{ownPage.show}</summary>
            <div className="center">
              <div className="frame">
                <QrCode text={link} label={ownPage.qr} />
              </div>
            </div>
          </details>
        </>
      )}
    </section>
  )
}

/** Names may have letters of any script. */
function writeLink(
  name: string,
  asked: { chainId: number; token: TokenEntry; amount: string } | null,
): string {
  const link = new URL(`/pay/${encodeURIComponent(name)}`, location.origin)
  if (asked) {
    link.searchParams.set('chain', String(asked.chainId))
    if (asked.token.address !== zeroAddress) link.searchParams.set('token', asked.token.address)
    link.searchParams.set('amount', asked.amount)
  }
  return link.href
}
