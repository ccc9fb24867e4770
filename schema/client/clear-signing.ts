// SPDX-License-Identifier: MIT
/** Calls and typed data in words, by checked descriptors (ERC-7730); needs the optional peer @ethereum-sourcify/clear-signing. */
export { showCall, showTypedData, type ShownCall, type UnsignedCall } from './provider/show-call.ts'
