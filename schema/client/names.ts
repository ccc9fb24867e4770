// SPDX-License-Identifier: MIT
/** Names (ENS) for payers. */
export { resolveName, type NameSource } from './account/resolve-name.ts'
