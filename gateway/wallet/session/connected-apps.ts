// The apps that may ask for something, on this device. The service keeps the address that each of them knows.

const NAME = 'stealth-wallet apps'

type Connected = Readonly<Record<string, readonly string[]>>

const read = () => JSON.parse(localStorage.getItem(NAME) ?? '{}') as Connected

function write(accountId: string, origins: readonly string[]): void {
  localStorage.setItem(NAME, JSON.stringify({ ...read(), [accountId]: origins }))
}

/** The origins that the user connected to the account. Other tabs may change it at any time. */
export const listConnected = (accountId: string): readonly string[] => read()[accountId] ?? []

/** Lets the pages of an origin ask. */
export const connectApp = (accountId: string, origin: string): void =>
  write(accountId, [...new Set([...listConnected(accountId), origin])])

/** Its pages have to ask to be connected again. */
export const disconnectApp = (accountId: string, origin: string): void =>
  write(
    accountId,
    listConnected(accountId).filter((one) => one !== origin),
  )
