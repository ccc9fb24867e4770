// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

// How the pools name the chain's native coin where an ERC-20 would have its address.
address constant NATIVE_ASSET = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
