import {
  accountExists,
  creationNeedsSignIn,
  inviteCodeRefused,
} from '../../../relayer/account/profile/errors.ts'
import { accountNotFound, unauthorized } from '../../../relayer/errors.ts'
import { accountMutation, accountQuery } from '../../define/account-operation.ts'
import { defineOperation } from '../../define/operation.ts'
import {
  account,
  contactEmail,
  contactEmailBody,
  createdAccount,
  customEnsName,
  customEnsNameBody,
  dismissal,
  newAccountBody,
  promptPath,
} from './model.ts'

const section = 'Account'

export const accountOperations = [
  defineOperation({
    name: 'createAccount',
    kind: 'mutation',
    rest: 'POST /v1/accounts',
    status: 201,
    access: 'bearer',
    errors: [creationNeedsSignIn, inviteCodeRefused, accountExists],
    section,
    summary: 'Create the account of who signed in',
    description:
      'The key material, encrypted with the key from `/v1/.well-known/hpke-public-key`, must be that of the address in the token. Repeated with the same key material it answers `alreadyExisted: true` and no accountId; with other key material 409. 400 for key material that is malformed or not the signer’s, 403 for API keys, for extensions, and without a good invite code where access is by invitation.',
    input: { body: newAccountBody },
    output: createdAccount,
    run: async ({ body }, { services, principal }) => {
      if (!principal) throw unauthorized()
      const { onboardingExperimentId, experimentKey, variantKey, ...request } = body
      const onboarding = { experimentId: onboardingExperimentId, experimentKey, variantKey }
      return services.accounts.create(principal, {
        ...request,
        inviteCode: body.inviteCode,
        referralCode: body.referralCode,
        onboarding,
      })
    },
  }),
  accountQuery({
    name: 'account',
    rest: 'GET /v1/accounts/{accountId}',
    errors: [accountNotFound],
    section,
    summary: 'The account as its owner sees it',
    description: '`keyAccessMethod` is that of the token; API keys and old tokens have `unknown`.',
    output: account,
    run: async ({ path }, { services, principal }) => ({
      ...(await services.accounts.readProfile(path.accountId)),
      isRegistered: true,
      keyAccessMethod: principal?.keyAccessMethod ?? 'unknown',
      collectible: services.collectibles.isConfigured
        ? await services.collectibles.read(path.accountId)
        : null,
    }),
  }),
  accountQuery({
    name: 'contactEmail',
    field: 'contactEmail',
    rest: 'GET /v1/accounts/{accountId}/contact-email',
    limit: 60,
    section,
    summary: 'The contact e-mail',
    description: 'Null when there is none.',
    output: contactEmail,
    run: async ({ path }, { services }) => ({
      email: await services.accounts.readContactEmail(path.accountId),
    }),
  }),
  accountMutation({
    name: 'setContactEmail',
    rest: 'PUT /v1/accounts/{accountId}/contact-email',
    limit: 60,
    section,
    summary: 'Set the contact e-mail',
    description: 'Stored encrypted. Answers the stored address: trimmed, its domain in lower case.',
    input: { body: contactEmailBody },
    output: contactEmail,
    run: async ({ path, body }, { services }) => {
      await services.accounts.writeContactEmail(path.accountId, body.email)
      return { email: body.email }
    },
  }),
  accountMutation({
    name: 'deleteContactEmail',
    rest: 'DELETE /v1/accounts/{accountId}/contact-email',
    limit: 60,
    section,
    summary: 'Remove the contact e-mail',
    description: 'Also fine when there is none.',
    output: contactEmail,
    run: async ({ path }, { services }) => {
      await services.accounts.writeContactEmail(path.accountId, null)
      return { email: null }
    },
  }),
  accountMutation({
    name: 'setCustomEnsName',
    rest: 'PUT /v1/accounts/{accountId}/custom-ens-name',
    limit: 60,
    section,
    summary: 'Keep an ENS name of one’s own',
    description:
      'Encrypted by the client: the service cannot read it, and checks nothing of it. It is shown with the account.',
    input: { body: customEnsNameBody },
    output: customEnsName,
    run: async ({ path, body }, { services }) => {
      await services.accounts.writeCustomEnsName(path.accountId, body.encryptedCustomEnsName)
      return { encryptedCustomEnsName: body.encryptedCustomEnsName }
    },
  }),
  accountMutation({
    name: 'deleteCustomEnsName',
    rest: 'DELETE /v1/accounts/{accountId}/custom-ens-name',
    limit: 60,
    section,
    summary: 'Forget the ENS name of one’s own',
    description: 'Also fine when there is none.',
    output: customEnsName,
    run: async ({ path }, { services }) => {
      await services.accounts.writeCustomEnsName(path.accountId, null)
      return { encryptedCustomEnsName: null }
    },
  }),
  accountMutation({
    name: 'dismissProfilePrompt',
    rest: 'PUT /v1/accounts/{accountId}/profile-prompts/{promptId}/dismissal',
    limit: 60,
    section,
    summary: 'Dismiss a prompt for good',
    description:
      'Repeated, it answers the first time of dismissal. 400 for a prompt that is not among the configured ones.',
    input: { path: promptPath },
    output: dismissal,
    run: async ({ path }, { services }) => {
      const dismissedAt = await services.accounts.dismissPrompt(path.accountId, path.promptId)
      return { promptId: path.promptId, dismissedAt }
    },
  }),
]
