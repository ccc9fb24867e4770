import { z } from 'zod'
import type { ActivityCursor } from '../../db/activity/account-activity.ts'
import { badRequest } from '../errors.ts'

/** As far as dates reach, and what the database's columns hold. */
const content = z.tuple([
  z.int().nonnegative().max(8.64e15),
  z.int().positive(),
  z.string().regex(/^\d{1,18}$/),
  z.int().nonnegative().max(0x7fff_ffff),
])

/** The place of a transaction among all of an account's, opaque to clients; it stays valid whatever comes on top. */
export function writeCursor({ blockTime, chainId, blockNumber, txIndex }: ActivityCursor): string {
  return Buffer.from(JSON.stringify([blockTime.getTime(), chainId, String(blockNumber), txIndex])).toString(
    'base64',
  )
}

/** @throws ServiceError `bad-request` for what {@link writeCursor} did not write. */
export function readCursor(text: string): ActivityCursor {
  try {
    const [time, chainId, blockNumber, txIndex] = content.parse(
      JSON.parse(Buffer.from(text, 'base64').toString('utf8')),
    )
    return { blockTime: new Date(time), chainId, blockNumber: BigInt(blockNumber), txIndex }
  } catch {
    throw badRequest('cursor: is not one that this service gave')
  }
}
