import { bytesToHex } from 'viem'

/** The page that brings the money home without the service, as a file. */
export interface WayOut {
  file: Blob
  /** SHA-256 of exactly this file, in 64 digits: a build from the same sources prints the same. */
  sha256: string
}

/** Loads it from the service. @throws Error if the service does not have it. */
export async function loadWayOut(): Promise<WayOut> {
  const answer = await fetch('/wallet/recovery.html')
  if (!answer.ok) throw new Error(`the service answers ${answer.status}`)
  const file = await answer.blob()
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return { file, sha256: bytesToHex(new Uint8Array(hash)).slice(2) }
}
