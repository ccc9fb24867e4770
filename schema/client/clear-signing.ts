// SPDX-License-Identifier: MIT
/** Calls in words, by checked descriptors (ERC-7730); needs the optional peer @ethereum-sourcify/clear-signing. */
export { showCall, type ShownCall, type UnsignedCall } from './provider/show-call.ts'
