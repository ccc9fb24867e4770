import type { Address } from 'viem'
import { DemoError } from './demo-error.ts'

/** Makes the devnet's association set provider decline a depositor: test/devnet/COMMANDS.md. */
export async function tellAspToDecline(aspUrl: string, depositor: Address): Promise<void> {
  const response = await fetch(`${aspUrl}/commands`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command: 'decline', depositor }),
  })
  if (!response.ok) throw new DemoError(`The ASP refuses to decline: ${await response.text()}`)
}
