import { followAccount, type Client } from 'stealth-relay/client'

export async function nextPayment(client: Client, signal: AbortSignal) {
  // Payments, activity, deposits and the wallet's own orders as they change; a cut stream resumes.
  for await (const event of followAccount(client, signal))
    if (event.type === 'BalanceChanged') return event.balance
  return null
}
