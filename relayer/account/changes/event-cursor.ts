import { z } from 'zod'
import type { AccountEventRow, DatabaseMoment } from '../../../db/account/changes/account-events.ts'
import type { TransientSecrets } from '../../identity/transient-secrets.ts'

/** How far a follower has read. */
export interface EventPlace {
  /** All events up to this moment. */
  from: DatabaseMoment
  /** Of the events from then on up to another moment, those up to one of them; null for none. */
  part: { to: DatabaseMoment; after: AccountEventRow } | null
}

/** Longer texts are no cursors; a busy server has a hundred open transactions, which a moment names. */
const MOST_CHARACTERS = 8_000

const moment = z.tuple([z.string().regex(/^\d+:\d+:[\d,]*$/), z.number(), z.string()])
const kind = z.enum(['activity', 'balance', 'deposit', 'quote', 'relay', 'resync', 'review'])
const content = z.tuple([
  moment,
  z.union([z.tuple([moment, z.tuple([z.string().regex(/^\d+$/), kind, z.string()])]), z.null()]),
])
type Moment = z.output<typeof moment>

const pack = ({ snapshot, at, server }: DatabaseMoment): Moment => [snapshot, at, server]
const unpack = ([snapshot, at, server]: Moment): DatabaseMoment => ({ snapshot, at, server })
const contextOf = (accountId: string) => `account_event ${accountId}`

/**
 * A place as a text for clients. It is sealed: transaction ids would show how busy the service is. It opens for its
 * account only.
 */
export function writeCursor(
  secrets: TransientSecrets,
  accountId: string,
  { from, part }: EventPlace,
): string {
  const packed: z.input<typeof content> = [
    pack(from),
    part && [pack(part.to), [part.after.xact, part.after.kind, part.after.subject]],
  ]
  return secrets.seal(contextOf(accountId), JSON.stringify(packed)).toString('base64url')
}

/** Reads a cursor; null for a text that is none of this account. */
export function readCursor(secrets: TransientSecrets, accountId: string, cursor: string): EventPlace | null {
  if (cursor.length > MOST_CHARACTERS) return null
  try {
    const text = secrets.open(contextOf(accountId), Buffer.from(cursor, 'base64url'))
    const [from, part] = content.parse(JSON.parse(text))
    if (part === null) return { from: unpack(from), part }
    const [to, [xact, ofKind, subject]] = part
    return { from: unpack(from), part: { to: unpack(to), after: { xact, kind: ofKind, subject } } }
  } catch {
    return null
  }
}
