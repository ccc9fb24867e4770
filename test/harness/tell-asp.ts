import { readDescription } from '../devnet/devnet-description.ts'
import type { Address } from 'viem'

/** Makes the devnet's ASP decline all deposits of a depositor. */
export async function tellAspToDecline({ dataDir }: { dataDir: string }, depositor: Address): Promise<void> {
  const { asp } = await readDescription(dataDir)
  const response = await fetch(`${asp?.url}/commands`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command: 'decline', depositor }),
  })
  if (!response.ok) throw new Error(`the ASP refuses: ${await response.text()}`)
}
