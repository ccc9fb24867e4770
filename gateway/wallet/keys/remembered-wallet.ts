/** The facts that this browser remembers of its wallet: no secret, and nothing that names the account. */
export interface RememberedWallet {
  /** How its keys are reached. */
  opensBy: 'passkey' | 'pin'
  /** A backup was saved on this device. */
  hasBackup: boolean
}

const NAME = 'stealth-wallet'

/** Null if no wallet was opened here. */
export function readRemembered(): RememberedWallet | null {
  const text = localStorage.getItem(NAME)
  return text ? (JSON.parse(text) as RememberedWallet) : null
}

/** Replaces what is remembered; null forgets. */
export function remember(wallet: RememberedWallet | null): void {
  if (wallet) localStorage.setItem(NAME, JSON.stringify(wallet))
  else localStorage.removeItem(NAME)
}
