import { z } from 'zod'

/** Settings of accounts. */
export const accountsConfig = z.strictObject({
  inviteRequired: z
    .boolean()
    .default(false)
    .describe('True for gated access: creating an account needs an invite code.'),
  dismissablePrompts: z
    .array(z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'expected lower-case words joined by - or _'))
    .max(100)
    .default(['contact-email', 'subdomain', 'referral', 'backup', 'deposit-review'])
    .describe('Prompts of the profile page that can be dismissed for good.'),
})

/** The account settings after parsing, defaults filled in. */
export type AccountsConfig = z.output<typeof accountsConfig>
