// SPDX-License-Identifier: MIT
/** Hooks for React, over @tanstack/react-query: answers that the account's events keep fresh, and orders in two steps. */
export { useAnswer, useNotes, type ReadName } from './react/use-answer.ts'
export { DEPOSIT, PAYMENT, useOrder, type OrderKind } from './react/use-order.ts'
export { keyOf, useWallet, WalletProvider } from './react/wallet-provider.ts'
