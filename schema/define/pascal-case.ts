/** `PoolDeposit` for `pool_deposit`; only the first letter of each word changes. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
