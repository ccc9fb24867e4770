import { addressOfAnotherApp, appBlocked, tooManyApps } from '../../../relayer/account/apps/errors.ts'
import { accountNotFound } from '../../../relayer/errors.ts'
import { accountMutation } from '../../define/account-operation.ts'
import { appAddress, connectBody } from './model.ts'

export const appOperations = [
  accountMutation({
    name: 'connectApp',
    rest: 'POST /v1/accounts/{accountId}/dapp-addresses',
    limit: 60,
    idempotency: 'optional',
    errors: [accountNotFound, appBlocked, tooManyApps, addressOfAnotherApp],
    section: 'Addresses',
    summary: 'The address for an app',
    description:
      'One for each app: the same again where the app knows one, else a new one. It is never handed to payers or to other apps, and never spent together with other addresses.',
    input: { body: connectBody },
    output: appAddress,
    run: async ({ path, body }, { services }) => {
      const { derivationNonce, ...known } = await services.appAddresses.connect(path.accountId, body.origin)
      return { ...known, nonce: derivationNonce }
    },
  }),
]
