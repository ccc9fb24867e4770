/** Binds a sealed address to its place as well as to its account: it opens as nothing else. */
export const contactEmailOwner = (accountId: string) => `${accountId} contact e-mail`
