/** Binds a sealed address to its place as well as to its account: it opens as nothing else. */
export const contactEmailOwner = (accountId: string) => `${accountId} contact e-mail`

/** Binds a sealed note book. @param about `accountId:chainId:pool` */
export const bookOwner = (about: string) => `pool_book:${about}`

/** Binds a sealed spend from a pool. @param about `accountId:id` */
export const spendOwner = (about: string) => `pool_spend:${about}`

/** Binds the sealed handle of who is paid by a cash-out. @param accountId Whose cash-out it is. */
export const cashPayeeOwner = (accountId: string) => `cash_payee:${accountId}`
