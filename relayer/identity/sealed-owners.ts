/** Binds a sealed email to its place and account: it opens as nothing else. */
export const contactEmailOwner = (accountId: string) => `${accountId} contact e-mail`

/** Binds a sealed note book. @param about `accountId:chainId:pool` */
export const bookOwner = (about: string) => `pool_book:${about}`

/** Binds a sealed spend from a pool. @param about `accountId:id` */
export const spendOwner = (about: string) => `pool_spend:${about}`

/** Binds the sealed handle of a cash-out's payee. @param accountId The account of the cash-out. */
export const cashPayeeOwner = (accountId: string) => `cash_payee:${accountId}`
