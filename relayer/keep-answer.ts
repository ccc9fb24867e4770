import type { CommonQueryMethods } from 'slonik'

/**
 * Stores the answer to a request in the transaction that makes what it is about: a crash leaves both or neither, and the
 * same request gets the same answer again.
 *
 * @throws Error when another run of the request has taken its place: the transaction has to be undone.
 */
export type KeepAnswer<Answer> = (transaction: CommonQueryMethods, answer: Answer) => Promise<void>
