// SPDX-License-Identifier: MIT
/** A wallet's provider for web pages, by EIP-1193, EIP-5792 and EIP-6963. */
export { announceProvider, type Announcement, type AppAnswer } from './provider/announce-provider.ts'
export {
  createAppProvider,
  type AppChain,
  type AppEvent,
  type AppProvider,
  type AppProviderOptions,
  type AppRequest,
} from './provider/app-provider.ts'
export { decodeCalldata, type PossibleCall } from './provider/decode-calldata.ts'
export type { CallsPrice } from './provider/offer-calls.ts'
export { ProviderError } from './provider/provider-error.ts'
export {
  APP_WINDOW,
  readWindowRequest,
  type WindowReply,
  type WindowRequest,
} from './provider/window-messages.ts'
export {
  announceWindowProvider,
  createWindowProvider,
  type WindowProvider,
  type WindowProviderOptions,
} from './provider/window-provider.ts'
