import { addressOfAnotherApp, appBlocked, tooManyApps } from '../../../relayer/account/apps/errors.ts'
import { accountNotFound } from '../../../relayer/errors.ts'
import { accountMutation } from '../../define/account-operation.ts'
import { z } from 'zod'
import { address } from '../../define/scalars.ts'
import { described, shape } from '../../define/shape.ts'
import { derivationNonce } from '../addresses/model.ts'

/** Facts about an app. */
export const knownApp = shape('KnownApp', 'The facts known about an app.', {
  origin: described(z.string(), 'Scheme, host and port of the app.'),
  displayName: described(z.string(), 'Name of the app as the operator listed it; else its host.'),
  iconUrl: described(z.string().nullable(), 'URL of the app’s picture; null without one.'),
  recognitionStatus: described(
    z.enum(['recognised', 'unknown', 'blocked']),
    'recognised: the operator listed exactly this origin. unknown: the service does not know it. blocked: it is refused.',
    { id: 'RecognitionStatus' },
  ),
  verified: described(z.boolean(), 'True for a recognised origin; says nothing of any transaction.'),
})

const connectBody = shape('ConnectAppBody', 'The app that wants to know an address.', {
  origin: described(
    z.string().min(1).max(255),
    'The page that asks, as a browser writes its origin: `https://app.example`, or `http://localhost` with a port.',
  ),
})

const appAddress = shape('AppAddress', 'The address by which an app knows the account.', {
  address: described(address, 'A one-time address. The service gives it to no other app and to no payer.'),
  nonce: derivationNonce,
  isNew: described(z.boolean(), 'True when the app was not shown an address before.'),
  app: described(knownApp, 'The facts known about the app.'),
})

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
